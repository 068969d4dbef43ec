import { createHmac } from 'node:crypto';
import {
  brokenAnswer,
  fieldsOf,
  jsonAnswer,
  jsonBytesWithout,
  serverErrorPage,
  simulateBearer,
  SIMULATOR_SECRET,
  type BearerCall,
  type Fields,
  type SimulatorAnswer,
  type WriteReceipt,
} from '@pushfleet/channel-kit/testing';
import { refusalOf, STRICT, STRUCTURE, withoutNulls, type Refusal } from './testing/rules';

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

const nameToken = (appId: string, serial: number): string =>
  `hms/${serial}+${Buffer.from(`${appId}.${serial}`).toString('base64')}`;

export const makeSimulator = simulateBearer(() => ({
  tokenPath: TOKEN_PATH,
  sendPath: SEND_PATH,
  rules: STRICT,
  nameToken,
  grantRefusals: GRANT_REFUSALS,
  expired: EXPIRED,
  unknown: UNKNOWN,
  trouble: TROUBLE,
  receive,
  receipt: receiptOf,
}));

function receive({ appId, owner, body, strict, desk, nextId }: BearerCall<keyof typeof STRICT>): SimulatorAnswer {
  if (appId !== encodeURIComponent(owner)) return UNKNOWN;
  const given = fieldsOf(body?.['message']);
  if (!body || !given) return refuse(STRUCTURE);
  const message = withoutNulls(given);
  const refusal = tooLarge(body, message) ?? refusalOf(message, strict);
  if (refusal) return refuse(refusal);
  const { taken, gone, malformed, left } = desk.sort(message['token'] as string[]);
  const sorted = { taken, illegal: [...gone, ...malformed, ...left] };
  return deliver({ body, message, sorted }, nextId());
}

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

const UNKNOWN = jsonAnswer({ code: '80200001', msg: 'Oauth authentication error.', requestId: '' }, 401);
const EXPIRED = jsonAnswer({ code: '80200003', msg: 'OAuth token expired.', requestId: '' });

/** `msg` of the vendor's flow control; the vendor has no answer of its own for a spent quota. */
const FLOW_CONTROL: SimulatorAnswer = { status: 503, contentType: 'text/plain', body: 'flow control' };

const TROUBLE = {
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
    biTag: sent.pushId,
    appid: SIMULATOR_PROFILE.appId,
    token,
    status: RECEIPT_STATUS[kind],
    timestamp,
    requestId: sent.messageId,
  }));
  return {
    headers: {
      'content-type': 'application/json',
      'x-huawei-callback-id': `timestamp=${timestamp}; nonce=${nonce}; value=${value}`,
    },
    body: JSON.stringify({ statuses }),
  };
};
