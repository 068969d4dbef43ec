import { createHash } from 'node:crypto';
import {
  codePoints,
  DeviceDesk,
  jsonAnswer,
  SIMULATOR_SECRET,
  type ChannelSimulator,
  type SentMessage,
  type SimulatorAnswer,
  type SimulatorOptions,
  type SimulatorRequest,
  type VendorMisbehaviour,
} from '@pushfleet/channel-kit/testing';

export const SIMULATOR_PROFILE = {
  appId: '2882303761517000001',
  appSecret: SIMULATOR_SECRET,
  packageName: 'com.example.app',
};

const SEND_PATH = /^\/v[234]\/message\/regid$/;
const QUOTA_PATH = '/v1/trace/quota/get';

interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly description?: string;
}

/** Undefined when the field is as the vendor wants it. */
type Check = (form: URLSearchParams) => Refusal | undefined;

export function makeSimulator({ now }: SimulatorOptions): ChannelSimulator {
  const desk = new DeviceDesk();
  const answer = (request: SimulatorRequest): SimulatorAnswer => authenticated(request) ?? route(desk, request);
  return {
    handles: (path) => /^\/v\d\/(message|trace|stats|multi_messages|schedule_job)\//.test(path),
    answer,
    misbehave(kind, request) {
      if (kind === 'partial') return desk.partly(() => answer(request));
      return kind === 'token-expired' ? answer(request) : MISBEHAVIOUR[kind];
    },
    receipt: (kind, sent) => receiptOf(kind, sent, now()),
  };
}

function authenticated({ headers }: SimulatorRequest): SimulatorAnswer | undefined {
  if (headers['authorization'] === `key=${SIMULATOR_SECRET}`) return undefined;
  return refused({ code: 21301, reason: 'Authentication failed.', description: '认证失败' });
}

function route(desk: DeviceDesk, request: SimulatorRequest): SimulatorAnswer {
  if (request.method === 'GET' && request.path === QUOTA_PATH) return quota(request.query);
  if (request.method === 'POST' && SEND_PATH.test(request.path)) return receive(desk, request);
  return { status: 404, contentType: 'text/html', body: '<html><body>404 Not Found</body></html>' };
}

function quota(query: URLSearchParams): SimulatorAnswer {
  const refusal = packageName(query);
  if (refusal) return refused(refusal);
  return jsonAnswer({
    ...{ result: 'ok', trace_id: traceId('quota'), code: 0, description: '成功' },
    data: { day_quota: '100000', day_acked: '0' },
  });
}

function receive(desk: DeviceDesk, { headers, body }: SimulatorRequest): SimulatorAnswer {
  if (!(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    return refused({ code: 10012, reason: 'Illegal request.' });
  }
  const form = new URLSearchParams(body);
  for (const check of CHECKS) {
    const refusal = check(form);
    if (refusal) return refused(refusal);
  }
  return deliver(desk, form, body);
}

function deliver(desk: DeviceDesk, form: URLSearchParams, body: string): SimulatorAnswer {
  const { taken: registrationIds, gone, malformed, left } = desk.sort(targetsOf(form));
  const bad = [...gone, ...malformed, ...left];
  if (registrationIds.length === 0)
    return refused({ code: 20301, reason: 'No valid targets!', description: '发送消息失败' });
  const messageId = `scm${traceId(body)}`;
  const data = { id: messageId, ...(bad.length === 0 ? {} : { bad_regids: bad.join(',') }) };
  const info = `Received push messages for ${registrationIds.length} REGID`;
  return {
    ...jsonAnswer({ result: 'ok', trace_id: `Xcm${traceId(body)}`, code: 0, data, description: '成功', info }),
    sent: {
      ...{ pushId: pushIdOf(form), registrationIds, messageId, message: messageOf(form) },
      receiptUrl: form.get(CALLBACK) ?? undefined,
    },
  };
}

const targetsOf = (form: URLSearchParams): string[] =>
  (form.get('registration_id') ?? '').split(',').filter((id) => id !== '');

const pushIdOf = (form: URLSearchParams): string => form.get('extra.callback.param') ?? form.get('extra.jobkey') ?? '';

const messageOf = (form: URLSearchParams): unknown =>
  Object.fromEntries([...form].filter(([name]) => name !== 'registration_id'));

/** The same for a repeated request, so that a retry is told from a new message by its content only. */
const traceId = (seed: string): string => createHash('md5').update(seed).digest('hex').slice(0, 20);

function refused({ code, reason, description }: Refusal): SimulatorAnswer {
  return jsonAnswer({
    ...{ result: 'error', reason, trace_id: `Xdm${traceId(reason)}`, code },
    description: description ?? reason,
  });
}

const missing = (name: string): Refusal => ({ code: 10016, reason: `Required parameter ${name} is missing.` });
const illegal = (name: string): Refusal => ({ code: 10017, reason: `Parameter value of ${name} is illegal.` });

/** A field that may be absent; present, it must satisfy the rule. */
const optional =
  (name: string, isLegal: (value: string) => boolean, refusal: Refusal = illegal(name)): Check =>
  (form) => {
    const value = form.get(name);
    return value === null || isLegal(value) ? undefined : refusal;
  };

/** A text that a notification must have and a pass-through message need not. */
const noticeText =
  (name: string, under: number): Check =>
  (form) => {
    if (form.get('pass_through') === '1') return undefined;
    const text = form.get(name) ?? '';
    if (text.trim() === '') return missing(name);
    return codePoints(text) < under ? undefined : illegal(name);
  };

const integer =
  (min: number, max: number) =>
  (value: string): boolean =>
    /^-?\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;

const oneOf =
  (...values: string[]) =>
  (value: string): boolean =>
    values.includes(value);

const packageName: Check = optional(
  'restricted_package_name',
  (names) => names.split(',').every((name) => /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(name)),
  { code: 22022, reason: 'Illegal package name.', description: '应用程序package name不合法' },
);

const targets: Check = (form) => {
  const count = targetsOf(form).length;
  if (count === 0) return missing('registration_id');
  return count <= 1000 ? undefined : illegal('registration_id');
};

const payload: Check = (form) => {
  const text = form.get('payload');
  if (form.get('pass_through') === '1' && (text ?? '').trim() === '') return missing('payload');
  const isFitting = Buffer.byteLength(text ?? '') <= 4096;
  return isFitting ? undefined : { code: 65009, reason: 'Message is too long.' };
};

const CALLBACK = 'extra.callback';
const DOCUMENTED_EXTRA = new Set(
  [
    ...['channel_id', 'channel_name', 'channel_description', 'notify_effect', 'intent_uri', 'web_uri'],
    ...['notify_foreground', 'sound_uri', 'ticker', 'flow_control', 'jobkey', 'callback', 'callback.param'],
    ...['callback.type', 'only_send_once', 'locale', 'locale_not_in', 'model', 'model_not_in', 'app_version'],
    ...['app_version_not_in', 'connpt', 'layout_name', 'layout_value'],
  ].map((name) => `extra.${name}`),
);

const ownExtra: Check = (form) => {
  const own = [...form].filter(([name]) => name.startsWith('extra.') && !DOCUMENTED_EXTRA.has(name));
  if (own.length > 10) return { code: 65015, reason: 'Too many key-value pairs.' };
  const isLong = own.some(([name, value]) => name.length - 'extra.'.length > 1024 || value.length > 1024);
  return isLong ? { code: 65014, reason: 'Key or value is too long.' } : undefined;
};

const companion: Check = (form) => {
  const needed = { 2: 'extra.intent_uri', 3: 'extra.web_uri' }[form.get('extra.notify_effect') ?? ''];
  return needed === undefined || form.has(needed) ? undefined : missing(needed);
};

const CHECKS: readonly Check[] = [
  targets,
  packageName,
  optional('pass_through', oneOf('0', '1')),
  noticeText('title', 50),
  noticeText('description', 128),
  payload,
  optional('notify_type', integer(-1, 7)),
  optional('time_to_live', integer(1, 10 * 86_400_000)),
  optional('time_to_send', integer(0, 1e15)),
  optional('notify_id', integer(0, 2_147_483_647)),
  optional('extra.notify_effect', oneOf('1', '2', '3')),
  companion,
  optional('extra.notify_foreground', oneOf('0', '1')),
  optional('extra.jobkey', (key) => /^[0-9A-Za-z-][0-9A-Za-z_-]{0,19}$/.test(key)),
  optional('extra.channel_id', (id) => id.trim() !== '', { code: 27001, reason: 'Channel info is invalid.' }),
  optional(CALLBACK, (url) => /^https?:\/\/\S+$/.test(url), { code: 65036, reason: 'Bad callback url.' }),
  optional(`${CALLBACK}.param`, (text) => Buffer.byteLength(text) <= 256, {
    code: 65037,
    reason: 'Bad callback param.',
  }),
  optional(`${CALLBACK}.type`, integer(1, 2047), { code: 65038, reason: 'Bad callback type.' }),
  ownExtra,
];

const MISBEHAVIOUR: Readonly<Record<Exclude<VendorMisbehaviour, 'token-expired' | 'partial'>, SimulatorAnswer>> = {
  'http-5xx': { status: 503, contentType: 'text/html', body: '<html><body>503 Service Unavailable</body></html>' },
  throttled: refused({ code: 200002, reason: 'QPS exceeded.', description: 'QPS超过限制' }),
  quota: refused({ code: 200001, reason: 'exceed quota, quota:10000, have acked:10000', description: '超过每日配额' }),
  garbage: { status: 200, contentType: 'application/json;charset=UTF-8', body: '{"result":"ok","trace_id":"Xcm0' },
};

const RECEIPT_TYPE = { delivered: 1, clicked: 2, 'registration-gone': 16, unknown: 4096 } as const;

function receiptOf(
  kind: keyof typeof RECEIPT_TYPE,
  sent: SentMessage,
  timestamp: number,
): { headers: Record<string, string>; body: string } {
  const entry = {
    ...{ param: sent.pushId, type: RECEIPT_TYPE[kind], targets: sent.registrationIds.join(',') },
    ...{ jobkey: '', barStatus: 'Enable', timestamp },
  };
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ data: JSON.stringify({ [sent.messageId]: entry }) }).toString(),
  };
}
