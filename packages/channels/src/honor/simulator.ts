import {
  DeviceDesk,
  fieldsOf,
  isFilledText,
  isIntegerIn,
  jsonAnswer,
  jsonBytesWithout,
  parseFields,
  SIMULATOR_SECRET,
  TokenDesk,
  type ChannelSimulator,
  type Fields,
  type SentMessage,
  type SimulatorAnswer,
  type SimulatorOptions,
  type SimulatorRequest,
  type VendorMisbehaviour,
} from '@pushfleet/channel-kit/testing';

export const SIMULATOR_PROFILE = {
  appId: '104000001',
  appSecret: SIMULATOR_SECRET,
  clientId: 'sim-client',
  clientSecret: SIMULATOR_SECRET,
  importance: 'NORMAL',
  badgeClass: 'com.example.app.MainActivity',
};

const TOKEN_PATH = '/auth/token';
const SEND_PATH = /^\/api\/v1\/([^/]+)\/sendMessage$/;
const TOKEN_LIFE_SECONDS = 3600;
const CLOCK_TOLERANCE_MS = 300_000;

export function makeSimulator({ now }: SimulatorOptions): ChannelSimulator {
  const tokens = new TokenDesk({
    now,
    lifeMs: TOKEN_LIFE_SECONDS * 1000,
    nameOf: (clientId, serial) => `honor.${serial}.${Buffer.from(`${clientId}.${serial}`).toString('base64url')}`,
  });
  const desk = new DeviceDesk();
  let serial = 0;

  function issue({ body }: SimulatorRequest): SimulatorAnswer {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== 'client_credentials') return tokenRefused('unsupported_grant_type', 400);
    const clientId = form.get('client_id') ?? '';
    if (clientId === '' || form.get('client_secret') !== SIMULATOR_SECRET) return tokenRefused('invalid_client', 401);
    const { value } = tokens.issue(clientId);
    return jsonAnswer({ access_token: value, expires_in: TOKEN_LIFE_SECONDS, token_type: 'Bearer' });
  }

  function unauthorised({ headers }: SimulatorRequest): SimulatorAnswer | undefined {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    const found = tokens.ownerOf(token);
    if (found === 'expired') return EXPIRED;
    return found === 'unknown' ? refuse(80200001, 'oauth authentication error', 401) : undefined;
  }

  function receive(request: SimulatorRequest): SimulatorAnswer {
    const { headers } = request;
    const refused = unauthorised(request);
    if (refused) return refused;
    const timestamp = headers['timestamp'] ?? '';
    const isTimely = /^\d{13}$/.test(timestamp) && Math.abs(Number(timestamp) - now()) <= CLOCK_TOLERANCE_MS;
    if (!isTimely) return refuse(80100001, 'timestamp is illegal');
    if (!(headers['content-type'] ?? '').startsWith('application/json')) return refuse(80100001, 'content type');
    const body = parseFields(request.body);
    if (!body) return refuse(80100003, 'body is not a JSON object');
    for (const check of CHECKS) {
      const refusal = check(body);
      if (refusal) return refuse(refusal.code, refusal.message);
    }
    serial += 1;
    return deliver(desk, body, `ho${now()}${String(serial).padStart(9, '0')}`);
  }

  const answer = (request: SimulatorRequest): SimulatorAnswer =>
    request.path === TOKEN_PATH ? issue(request) : receive(request);

  return {
    handles: (path) => path === TOKEN_PATH || SEND_PATH.test(path),
    answer,
    misbehave(kind, request) {
      if (kind === 'partial') return desk.partly(() => answer(request));
      if (kind !== 'token-expired') return MISBEHAVIOUR[kind];
      tokens.expireAll();
      return request.path === TOKEN_PATH ? issue(request) : EXPIRED;
    },
    receipt: (kind, sent) => receiptOf(kind, sent, now()),
  };
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

const refuse = (code: number, message: string, status = 200): SimulatorAnswer => jsonAnswer({ code, message }, status);

const EXPIRED = refuse(80200003, 'oauth token expired', 403);

const MISBEHAVIOUR: Readonly<Record<Exclude<VendorMisbehaviour, 'token-expired' | 'partial'>, SimulatorAnswer>> = {
  'http-5xx': { status: 500, contentType: 'text/html', body: '<html><body>500 Internal Server Error</body></html>' },
  throttled: { status: 429, contentType: 'text/plain', body: 'Too Many Requests' },
  // The vendor has no answer of its own for a spent quota: flow control is what a sender sees.
  quota: { status: 503, contentType: 'text/plain', body: 'flow control' },
  garbage: { status: 200, contentType: 'application/json;charset=UTF-8', body: '{"code":200,"mess' },
};

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Undefined when the body is as the vendor wants it. */
type Check = (body: Fields) => Refusal | undefined;

const structure = (message: string): Refusal => ({ code: 80100003, message });
const parameter = (message: string): Refusal => ({ code: 80100001, message });

const wrapped: Check = (body) => (body['message'] === undefined ? undefined : structure('message is no field'));

const target: Check = ({ token }) => {
  if (!Array.isArray(token)) return parameter('token is required');
  if (token.length < 1 || token.length > 1000) return { code: 80300010, message: 'number of tokens is illegal' };
  return token.every((id) => typeof id === 'string' && id !== '') ? undefined : parameter('token is illegal');
};

const size: Check = (body) =>
  jsonBytesWithout(body, 'token') <= 4096 ? undefined : { code: 80300008, message: 'message body is too large' };

const shape: Check = (body) => {
  const android = fieldsOf(body['android'] ?? {});
  if (!android) return structure('android is illegal');
  const notice = fieldsOf(android['notification']);
  const common = fieldsOf(body['notification']);
  const data = android['data'] ?? body['data'];
  if (notice || common) return checkNotice({ ...common, ...notice }, data);
  return typeof data === 'string' ? undefined : structure('data is required');
};

function checkNotice(notice: Fields, data: unknown): Refusal | undefined {
  if (!isFilledText(notice['title']) || !isFilledText(notice['body'])) return structure('title and body are required');
  if (!clickable(fieldsOf(notice['clickAction']))) return structure('clickAction is illegal');
  const isJsonText = data === undefined || (typeof data === 'string' && parseFields(data) !== undefined);
  return isJsonText ? undefined : structure('data is not JSON');
}

function clickable(click: Fields | undefined): boolean {
  if (!click) return false;
  if (click['type'] === 1) return isFilledText(click['action']) || isIntent(click['intent']);
  if (click['type'] === 2) return typeof click['url'] === 'string' && click['url'].startsWith('https://');
  return click['type'] === 3;
}

const isIntent = (intent: unknown): boolean =>
  typeof intent === 'string' && /^(intent:\/\/[^#]*)?#Intent;.*;end$/.test(intent);

const isLife = (life: unknown): boolean =>
  typeof life === 'string' && /^\d{1,7}s$/.test(life) && isIntegerIn(Number.parseInt(life, 10), 1, 1_296_000);

type Rule = readonly [field: string, holds: (value: unknown) => boolean, code?: number];

const ANDROID_RULES: readonly Rule[] = [
  ['ttl', isLife, 80100004],
  ['biTag', (v) => typeof v === 'string'],
  ['targetUserType', (v) => isIntegerIn(v, 0, 1)],
];

const NOTICE_RULES: readonly Rule[] = [
  ['notifyId', (v) => isIntegerIn(v, -1, 2_147_483_647)],
  ['importance', (v) => v === 'LOW' || v === 'NORMAL'],
  ['style', (v) => isIntegerIn(v, 0, 1)],
  ['badge', (v) => isBadge(fieldsOf(v))],
];

function isBadge(badge: Fields | undefined): boolean {
  if (!badge) return false;
  const { addNum, setNum, badgeClass } = badge;
  const isAdding = addNum === undefined || isIntegerIn(addNum, 1, 99);
  return (
    isAdding &&
    (setNum === undefined || isIntegerIn(setNum, 0, 99)) &&
    (badgeClass === undefined || isFilledText(badgeClass))
  );
}

function broken(rules: readonly Rule[], value: Fields | undefined): Refusal | undefined {
  for (const [field, holds, code = 80100001] of rules) {
    if (value?.[field] !== undefined && !holds(value[field])) return { code, message: `${field} is illegal` };
  }
  return undefined;
}

const CHECKS: readonly Check[] = [
  wrapped,
  target,
  size,
  shape,
  (body) => broken(ANDROID_RULES, fieldsOf(body['android'])),
  (body) => broken(NOTICE_RULES, fieldsOf(fieldsOf(body['android'])?.['notification'])),
];

/** The vendor is known to report deliveries; its other statuses are not published. */
const RECEIPT_STATUS = {
  delivered: 40000002,
  clicked: 40000098,
  'registration-gone': 40000099,
  unknown: 49999999,
} as const;

function receiptOf(
  kind: keyof typeof RECEIPT_STATUS,
  sent: SentMessage,
  timestamp: number,
): { headers: Record<string, string>; body: string } {
  const statuses = sent.registrationIds.map((token) => ({
    ...{ biTag: sent.pushId, appid: SIMULATOR_PROFILE.appId, token, status: RECEIPT_STATUS[kind] },
    ...{ timestamp, requestId: sent.messageId },
  }));
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ statuses }) };
}
