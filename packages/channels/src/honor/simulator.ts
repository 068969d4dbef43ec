import {
  BoundedMap,
  brokenAnswer,
  fieldsOf,
  jsonAnswer,
  serverErrorPage,
  simulateBearer,
  SIMULATOR_SECRET,
  type BearerCall,
  type DeviceDesk,
  type Fields,
  type SimulatorAnswer,
  type WriteReceipt,
} from '@pushfleet/channel-kit/testing';
import { refusalOf, STRICT } from './testing/rules';

export const SIMULATOR_PROFILE = {
  appId: '104000001',
  appSecret: SIMULATOR_SECRET,
  clientId: 'sim-client',
  clientSecret: SIMULATOR_SECRET,
  importance: 'NORMAL',
  badgeClass: 'com.example.app.MainActivity',
};

const TOKEN_PATH = /^\/auth\/token$/;
const SEND_PATH = /^\/api\/v1\/([^/]+)\/sendMessage$/;
const CLOCK_TOLERANCE_MS = 300_000;
const MAX_TOKENS = 10_000;

const nameToken = (clientId: string, serial: number): string =>
  `honor.${serial}.${Buffer.from(`${clientId}.${serial}`).toString('base64url')}`;

type Call = BearerCall<keyof typeof STRICT>;

export const makeSimulator = simulateBearer(() => {
  /**
   * The app that a token was first used for, because any client id is right here. 403 is what a hosted service's knowledge
   * base reports for a token that lacks the right (NetEase, undated).
   */
  const appOf = new BoundedMap<string>(MAX_TOKENS);

  function receive(call: Call): SimulatorAnswer {
    const { appId, token } = call;
    const owner = appOf.get(token) ?? appId;
    appOf.set(token, owner);
    return owner === appId ? take(call) : refuse(80200001, 'the token is not of this app', 403);
  }

  return {
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
  };
});

function take({ headers, body, strict, desk, now, nextId }: Call): SimulatorAnswer {
  const timestamp = headers['timestamp'] ?? '';
  const isTimely = /^\d{13}$/.test(timestamp) && Math.abs(Number(timestamp) - now()) <= CLOCK_TOLERANCE_MS;
  if (!isTimely) return refuse(80100001, 'timestamp is illegal');
  if (!(headers['content-type'] ?? '').startsWith('application/json')) return refuse(80100001, 'content type');
  if (!body) return refuse(80100003, 'body is not a JSON object');
  const refusal = refusalOf(body, strict);
  if (refusal) return refuse(refusal.code, refusal.message);
  return deliver(desk, body, `ho${nextId()}`);
}

function deliver(desk: DeviceDesk, body: Fields, requestId: string): SimulatorAnswer {
  const { token, ...message } = body;
  const { taken: registrationIds, gone, malformed, left: failTokens } = desk.sort(token as string[]);
  const expireTokens = [...gone, ...malformed];
  const sendResult = registrationIds.length > 0;
  const answer = jsonAnswer({
    code: 200,
    message: 'success',
    data: { sendResult, requestId, failTokens, expireTokens },
  });
  if (!sendResult) return answer;
  const pushId = String(fieldsOf(message['android'])?.['biTag'] ?? '');
  return { ...answer, sent: { pushId, registrationIds, messageId: requestId, message } };
}

const tokenRefused = (error: string, status: number): SimulatorAnswer =>
  jsonAnswer({ error, error_description: 'Invalid client or Invalid client credentials' }, status);

const GRANT_REFUSALS = {
  grant: tokenRefused('unsupported_grant_type', 400),
  client: tokenRefused('invalid_client', 401),
  secret: tokenRefused('invalid_client', 401),
};

const refuse = (code: number, message: string, status = 200): SimulatorAnswer => jsonAnswer({ code, message }, status);

const UNKNOWN = refuse(80200001, 'oauth authentication error', 401);
const EXPIRED = refuse(80200003, 'oauth token expired', 403);

const TROUBLE = {
  'http-5xx': serverErrorPage(500, 'Internal Server Error'),
  throttled: { status: 429, contentType: 'text/plain', body: 'Too Many Requests' },
  // The vendor has no answer of its own for a spent quota: flow control is what a sender sees.
  quota: { status: 503, contentType: 'text/plain', body: 'flow control' },
  garbage: brokenAnswer('{"code":200,"mess'),
};

/** The vendor is known to report deliveries; its other statuses are not published. */
const RECEIPT_STATUS = {
  delivered: 40000002,
  clicked: 40000098,
  'registration-gone': 40000099,
  unknown: 49999999,
} as const;

const receiptOf: WriteReceipt = (kind, sent, timestamp) => {
  const statuses = sent.registrationIds.map((token) => ({
    biTag: sent.pushId,
    appid: SIMULATOR_PROFILE.appId,
    token,
    status: RECEIPT_STATUS[kind],
    timestamp,
    requestId: sent.messageId,
  }));
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ statuses }) };
};
