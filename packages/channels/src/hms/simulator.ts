import { createHmac } from 'node:crypto';
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
  appId: '100000001',
  appSecret: SIMULATOR_SECRET,
  category: 'IM',
  badgeClass: 'com.example.app.MainActivity',
  receiptUser: 'sim-user',
  receiptSecret: SIMULATOR_SECRET,
};

const TOKEN_PATH = /^\/oauth2\/v[23]\/token$/;
const SEND_PATH = /^\/v1\/([^/]+)\/messages:send$/;
const TOKEN_LIFE_SECONDS = 3600;

type Refusal = { readonly code: string; readonly msg: string };

export function makeSimulator({ now }: SimulatorOptions): ChannelSimulator {
  const tokens = new TokenDesk({
    now,
    lifeMs: TOKEN_LIFE_SECONDS * 1000,
    nameOf: (appId, serial) => `hms/${serial}+${Buffer.from(`${appId}.${serial}`).toString('base64')}`,
  });
  const desk = new DeviceDesk();
  let serial = 0;

  function issue({ body }: SimulatorRequest): SimulatorAnswer {
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== 'client_credentials') return tokenRefused('invalid grant_type', 20301);
    const appId = form.get('client_id') ?? '';
    if (appId === '') return tokenRefused('invalid client_id', 20041);
    if (form.get('client_secret') !== SIMULATOR_SECRET) return tokenRefused('invalid client_secret', 20051);
    const { value } = tokens.issue(appId);
    return jsonAnswer({ access_token: value, expires_in: TOKEN_LIFE_SECONDS, token_type: 'Bearer' });
  }

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
    const message = fieldsOf(body?.['message']);
    if (!body || !message) return refuse(STRUCTURE);
    for (const check of CHECKS) {
      const refusal = check(message, body);
      if (refusal) return refuse(refusal);
    }
    serial += 1;
    const { taken, gone, malformed, left } = desk.sort(message['token'] as string[]);
    const sorted = { taken, illegal: [...gone, ...malformed, ...left] };
    return deliver({ body, message, sorted }, `${now()}${String(serial).padStart(9, '0')}`);
  }

  const answer = (request: SimulatorRequest): SimulatorAnswer =>
    TOKEN_PATH.test(request.path) ? issue(request) : receive(request);

  return {
    handles: (path) => TOKEN_PATH.test(path) || SEND_PATH.test(path),
    answer,
    misbehave(kind, request) {
      if (kind === 'partial') return desk.partly(() => answer(request));
      if (kind !== 'token-expired') return MISBEHAVIOUR[kind];
      tokens.expireAll();
      return TOKEN_PATH.test(request.path) ? issue(request) : EXPIRED;
    },
    receipt: (kind, sent) => receiptOf(kind, sent, now()),
  };
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

const refuse = ({ code, msg }: Refusal): SimulatorAnswer => jsonAnswer({ code, msg, requestId: '' });

const EXPIRED = jsonAnswer({ code: '80200003', msg: 'OAuth token expired.', requestId: '' });

/** `msg` of the vendor's flow control; the vendor has no answer of its own for a spent quota. */
const FLOW_CONTROL: SimulatorAnswer = { status: 503, contentType: 'text/plain', body: 'flow control' };

const MISBEHAVIOUR: Readonly<Record<Exclude<VendorMisbehaviour, 'token-expired' | 'partial'>, SimulatorAnswer>> = {
  'http-5xx': { status: 502, contentType: 'text/html', body: '<html><body>502 Bad Gateway</body></html>' },
  throttled: FLOW_CONTROL,
  quota: FLOW_CONTROL,
  garbage: { status: 200, contentType: 'application/json;charset=UTF-8', body: '{"code":"80000000","msg":"Succ' },
};

const STRUCTURE: Refusal = { code: '80100003', msg: 'Illegal payload' };
const PARAMETER: Refusal = { code: '80100001', msg: 'Parameter error' };

/** Undefined when the message is as the vendor wants it. */
type Check = (message: Fields, body: Fields) => Refusal | undefined;

const target: Check = (message) => {
  const given = ['token', 'topic', 'condition'].filter((key) => message[key] !== undefined);
  if (given.length !== 1) return PARAMETER;
  const tokens = message['token'];
  if (!Array.isArray(tokens)) return { code: '80300010', msg: 'The token field is missing or misplaced' };
  if (tokens.length < 1 || tokens.length > 1000) return { code: '80300010', msg: 'The number of tokens is illegal' };
  return tokens.every((token) => typeof token === 'string' && token !== '') ? undefined : PARAMETER;
};

const size: Check = (message, body) => {
  const bytes = jsonBytesWithout({ ...body, message: { ...message, token: undefined } }, 'token');
  return bytes <= 4096 ? undefined : { code: '80300008', msg: 'Message body is too large' };
};

const isJsonText = (value: unknown): boolean => typeof value === 'string' && parseFields(value) !== undefined;

const shape: Check = (message) => {
  const android = fieldsOf(message['android'] ?? {});
  if (!android) return STRUCTURE;
  const notice = fieldsOf(android['notification']);
  const common = fieldsOf(message['notification']);
  const data = android['data'] ?? message['data'];
  const isComplete = notice || common ? isNotice({ ...common, ...notice }, data) : typeof data === 'string';
  return isComplete ? undefined : STRUCTURE;
};

const isNotice = (notice: Fields, data: unknown): boolean =>
  isFilledText(notice['title']) &&
  isFilledText(notice['body']) &&
  clickable(fieldsOf(notice['click_action'])) &&
  (data === undefined || isJsonText(data));

function clickable(click: Fields | undefined): boolean {
  if (!click) return false;
  if (click['type'] === 1) return isFilledText(click['action']) || isIntent(click['intent']);
  if (click['type'] === 2) return typeof click['url'] === 'string' && click['url'].startsWith('https://');
  return click['type'] === 3 || click['type'] === 4;
}

const isIntent = (intent: unknown): boolean =>
  typeof intent === 'string' && /^(intent:\/\/[^#]*)?#Intent;.*;end$/.test(intent);

const ttl: Check = (message) => {
  const life = fieldsOf(message['android'])?.['ttl'];
  const isFitting = life === undefined || (typeof life === 'string' && /^\d{1,7}(\.\d{1,9})?s?$/.test(life));
  const seconds = typeof life === 'string' ? Number.parseFloat(life) : 1;
  return isFitting && seconds > 0 && seconds <= 1_296_000 ? undefined : { code: '80100004', msg: 'ttl is illegal' };
};

const CATEGORIES = [
  ...['IM', 'VOIP', 'SUBSCRIPTION', 'TRAVEL', 'HEALTH', 'WORK', 'ACCOUNT', 'EXPRESS', 'FINANCE', 'DEVICE_REMINDER'],
  ...['MAIL', 'PLAY_VOICE', 'MARKETING'],
];

type Rule = readonly [field: string, holds: (value: unknown) => boolean, refusal?: Refusal];

const ANDROID_RULES: readonly Rule[] = [
  ['collapse_key', (v) => isIntegerIn(v, -1, 100), { code: '80100013', msg: 'collapse_key is illegal' }],
  ['urgency', (v) => v === 'HIGH' || v === 'NORMAL'],
  ['category', (v) => CATEGORIES.includes(String(v))],
  ['bi_tag', (v) => typeof v === 'string'],
  ['receipt_id', isFilledText, { code: '80300013', msg: 'receipt_id is illegal' }],
  ['target_user_type', (v) => isIntegerIn(v, 0, 1)],
];

const NOTICE_RULES: readonly Rule[] = [
  ['notify_id', (v) => isIntegerIn(v, -1, 2_147_483_647)],
  ['channel_id', isFilledText],
  ['importance', (v) => ['LOW', 'NORMAL', 'HIGH'].includes(String(v))],
  ['foreground_show', (v) => typeof v === 'boolean'],
  ['style', (v) => isIntegerIn(v, 0, 3)],
  ['badge', (v) => isBadge(fieldsOf(v))],
];

function isBadge(badge: Fields | undefined): boolean {
  if (!badge) return false;
  const { add_num: add, set_num: set, class: launcher } = badge;
  const isAdding = add === undefined || isIntegerIn(add, 1, 99);
  return (
    isAdding && (set === undefined || isIntegerIn(set, 0, 99)) && (launcher === undefined || isFilledText(launcher))
  );
}

function broken(rules: readonly Rule[], value: Fields | undefined): Refusal | undefined {
  for (const [field, holds, refusal = PARAMETER] of rules) {
    if (value?.[field] !== undefined && !holds(value[field])) return refusal;
  }
  return undefined;
}

const CHECKS: readonly Check[] = [
  target,
  size,
  shape,
  ttl,
  (message) => broken(ANDROID_RULES, fieldsOf(message['android'])),
  (message) => broken(NOTICE_RULES, fieldsOf(fieldsOf(message['android'])?.['notification'])),
];

/** The vendor reports no clicks; 14 is an event that says nothing about the registration. */
const RECEIPT_STATUS = { delivered: 0, clicked: 14, 'registration-gone': 5, unknown: 9999 } as const;

function receiptOf(
  kind: keyof typeof RECEIPT_STATUS,
  sent: SentMessage,
  timestamp: number,
): { headers: Record<string, string>; body: string } {
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
}
