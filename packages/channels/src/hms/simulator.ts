import { createHmac } from 'node:crypto';
import {
  brokenAnswer,
  ClientCredentialsDesk,
  DeviceDesk,
  fieldsOf,
  jsonAnswer,
  jsonBytesWithout,
  openSimulator,
  parseFields,
  serverErrorPage,
  SIMULATOR_SECRET,
  StrictRules,
  type Fields,
  type MakeSimulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  type WriteReceipt,
  type WrongAnswers,
} from '@pushfleet/channel-kit/testing';
import { refusalOf, STRICT, STRUCTURE, withoutNulls, type Refusal, type Strict } from './testing/rules';

export const SIMULATOR_PROFILE = {
  appId: '100000001',
  appSecret: SIMULATOR_SECRET,
  category: 'IM',
  badgeClass: 'com.example.app.MainActivity',
  receiptUser: 'sim-user',
  receiptSecret: SIMULATOR_SECRET,
};

const TOKEN_PATH = /^\/oauth2\/v[23]\/token$/;
const SEND_PATH = /^\/v1\/([^/]+)\/messages:send$/;

/** Without the tokens. */
const MAX_BODY_BYTES = 4096;

const nameOf = (appId: string, serial: number): string =>
  `hms/${serial}+${Buffer.from(`${appId}.${serial}`).toString('base64')}`;

export const makeSimulator: MakeSimulator = ({ now }) => {
  const tokens = new ClientCredentialsDesk(now, nameOf, GRANT_REFUSALS);
  const desk = new DeviceDesk();
  const strict: Strict = new StrictRules(STRICT);
  let serial = 0;

  function unauthorised({ headers, path }: SimulatorRequest): SimulatorAnswer | undefined {
    const token = tokens.ownerOf((headers['authorization'] ?? '').replace(/^Bearer /, ''));
    if (token === 'expired') return EXPIRED;
    const isOwn = token !== 'unknown' && SEND_PATH.exec(path)?.[1] === encodeURIComponent(token.owner);
    if (isOwn && headers['authorization']?.startsWith('Bearer ')) return undefined;
    return jsonAnswer({ code: '80200001', msg: 'Oauth authentication error.', requestId: '' }, 401);
  }

  function receive(request: SimulatorRequest): SimulatorAnswer {
    const refused = unauthorised(request);
    if (refused) return refused;
    if (!(request.headers['content-type'] ?? '').startsWith('application/json')) return refuse(STRUCTURE);
    const body = parseFields(request.body);
    const given = fieldsOf(body?.['message']);
    if (!body || !given) return refuse(STRUCTURE);
    const message = withoutNulls(given);
    const refusal = tooLarge(body, message) ?? refusalOf(message, strict);
    if (refusal) return refuse(refusal);
    serial += 1;
    const { taken, gone, malformed, left } = desk.sort(message['token'] as string[]);
    const sorted = { taken, illegal: [...gone, ...malformed, ...left] };
    return deliver({ body, message, sorted }, `${now()}${String(serial).padStart(9, '0')}`);
  }

  return openSimulator({
    ...{ desk, tokens, strict },
    handles: (path) => TOKEN_PATH.test(path) || SEND_PATH.test(path),
    answer: (request) => (TOKEN_PATH.test(request.path) ? tokens.grant(request) : receive(request)),
    wrongAnswers: (path) => (TOKEN_PATH.test(path) ? TROUBLE : { ...TROUBLE, 'token-expired': EXPIRED }),
    receipt: (kind, sent) => receiptOf(kind, sent, now()),
  });
};

interface Delivery {
  readonly body: Fields;
  readonly message: Fields;
  readonly sorted: { readonly taken: readonly string[]; readonly illegal: readonly string[] };
}

function deliver({ body, message, sorted }: Delivery, requestId: string): SimulatorAnswer {
  const { token: _, ...shown } = message;
  const { taken: registrationIds, illegal } = sorted;
  if (registrationIds.length === 0) {
    return jsonAnswer({ code: '80300007', msg: 'All the tokens are invalid', requestId });
  }
  const counts = { success: registrationIds.length, failure: illegal.length, illegal_tokens: illegal };
  const answer =
    illegal.length === 0
      ? jsonAnswer({ code: '80000000', msg: 'Success', requestId })
      : jsonAnswer({ code: '80100000', msg: JSON.stringify(counts), requestId });
  if (body['validate_only'] === true) return answer;
  const pushId = String(fieldsOf(message['android'])?.['bi_tag'] ?? '');
  return { ...answer, sent: { pushId, registrationIds, messageId: requestId, message: shown } };
}

const tokenRefused = (description: string, subError: number): SimulatorAnswer =>
  jsonAnswer({ sub_error: subError, error_description: description, error: 1101 }, 400);

const GRANT_REFUSALS = {
  grant: tokenRefused('invalid grant_type', 20301),
  client: tokenRefused('invalid client_id', 20041),
  secret: tokenRefused('invalid client_secret', 20051),
};

const refuse = ({ code, msg }: Refusal): SimulatorAnswer => jsonAnswer({ code, msg, requestId: '' });

const EXPIRED = jsonAnswer({ code: '80200003', msg: 'OAuth token expired.', requestId: '' });

/** `msg` of the vendor's flow control; the vendor has no answer of its own for a spent quota. */
const FLOW_CONTROL: SimulatorAnswer = { status: 503, contentType: 'text/plain', body: 'flow control' };

const TROUBLE: WrongAnswers = {
  'http-5xx': serverErrorPage(502, 'Bad Gateway'),
  throttled: FLOW_CONTROL,
  quota: FLOW_CONTROL,
  garbage: brokenAnswer('{"code":"80000000","msg":"Succ'),
};

function tooLarge(body: Fields, message: Fields): Refusal | undefined {
  const bytes = jsonBytesWithout({ ...body, message: { ...message, token: undefined } }, 'token');
  return bytes <= MAX_BODY_BYTES ? undefined : { code: '80300008', msg: 'Message body is too large' };
}

/** The vendor reports no clicks; 14 is an event that says nothing about the registration. */
const RECEIPT_STATUS = { delivered: 0, clicked: 14, 'registration-gone': 5, unknown: 9999 } as const;

const receiptOf: WriteReceipt = (kind, sent, timestamp) => {
  const nonce = `nonce-${sent.messageId}`;
  const signed = `${timestamp}${nonce}${SIMULATOR_PROFILE.receiptUser}`;
  const value = createHmac('sha256', SIMULATOR_SECRET).update(signed).digest('base64');
  const statuses = sent.registrationIds.map((token) => ({
    ...{ biTag: sent.pushId, appid: SIMULATOR_PROFILE.appId, token, status: RECEIPT_STATUS[kind] },
    ...{ timestamp, requestId: sent.messageId },
  }));
  return {
    headers: {
      'content-type': 'application/json',
      'x-huawei-callback-id': `timestamp=${timestamp}; nonce=${nonce}; value=${value}`,
    },
    body: JSON.stringify({ statuses }),
  };
};
