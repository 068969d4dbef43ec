import { createHash } from 'node:crypto';
import {
  BoundedMap,
  brokenAnswer,
  DeviceDesk,
  jsonAnswer,
  openSimulator,
  serverErrorPage,
  SIMULATOR_SECRET,
  type MakeSimulator,
  type SentMessage,
  type SimulatorAnswer,
  type SimulatorRequest,
  type WriteReceipt,
  type WrongAnswers,
} from '@pushfleet/channel-kit/testing';
import { ADDRESSES, CHECKS, openStrictRules, packageName, targetsOf, type Refusal } from './testing/send-checks';

export const SIMULATOR_PROFILE = {
  appId: '2882303761517000001',
  appSecret: SIMULATOR_SECRET,
  packageName: 'com.example.app',
};

const SEND_PATH = /^\/v[234]\/message\/(regid|alias|user_account)$/;
const QUOTA_PATH = '/v1/trace/quota/get';
const CALLBACK = 'extra.callback';
const MAX_REMEMBERED = 200_000;

interface Vendor {
  readonly desk: DeviceDesk;
  readonly strict: ReturnType<typeof openStrictRules>;
  /** Job key and device of messages that were shown: the device drops a second one. */
  readonly shown: BoundedMap<true>;
  now(): number;
  nextId(): string;
}

export const makeSimulator: MakeSimulator = ({ now }) => {
  let serial = 0;
  const nextId = (): string => hexOf(`${now()} ${(serial += 1)}`);
  const shown = new BoundedMap<true>(MAX_REMEMBERED);
  const vendor: Vendor = { desk: new DeviceDesk(), strict: openStrictRules(), shown, now, nextId };
  return openSimulator({
    desk: vendor.desk,
    strict: vendor.strict,
    handles: (path) => /^\/v\d\/(message|trace|stats|multi_messages|schedule_job)\//.test(path),
    answer: (request) => authenticated(request) ?? route(vendor, request),
    wrongAnswers: () => TROUBLE,
    receipt: (kind, sent) => receiptOf(kind, sent, now()),
  });
};

function authenticated({ headers }: SimulatorRequest): SimulatorAnswer | undefined {
  if (headers['authorization'] === `key=${SIMULATOR_SECRET}`) return undefined;
  return refused({ code: 21301, reason: 'Authentication failed.', description: '认证失败' });
}

function route(vendor: Vendor, request: SimulatorRequest): SimulatorAnswer {
  if (request.method === 'GET' && request.path === QUOTA_PATH) return quota(vendor, request.query);
  if (request.method === 'POST' && SEND_PATH.test(request.path)) return receive(vendor, request);
  return { status: 404, contentType: 'text/html', body: '<html><body>404 Not Found</body></html>' };
}

function quota({ strict, nextId }: Vendor, query: URLSearchParams): SimulatorAnswer {
  const refusal = packageName(query, { strict });
  if (refusal) return refused(refusal);
  return jsonAnswer({
    result: 'ok',
    trace_id: nextId(),
    code: 0,
    description: '成功',
    data: { day_quota: '100000', day_acked: '0' },
  });
}

function receive(vendor: Vendor, { headers, path, body }: SimulatorRequest): SimulatorAnswer {
  if (!(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    return refused({ code: 10012, reason: 'Illegal request.' });
  }
  const form = new URLSearchParams(body);
  const [, kind = ''] = SEND_PATH.exec(path) ?? [];
  const address = ADDRESSES[kind] ?? '';
  for (const check of CHECKS) {
    const refusal = check(form, { strict: vendor.strict, now: vendor.now(), address });
    if (refusal) return refused(refusal);
  }
  return deliver(vendor, form, address);
}

function deliver({ desk, shown, nextId }: Vendor, form: URLSearchParams, address: string): SimulatorAnswer {
  const { taken, gone, malformed, left } = desk.sort(targetsOf(form, address));
  const bad = [...gone, ...malformed, ...left];
  if (taken.length === 0) return refused({ code: 20301, reason: 'No valid targets!', description: '发送消息失败' });
  const messageId = `scm${nextId()}`;
  const data = { id: messageId, ...(bad.length === 0 ? {} : { bad_regids: bad.join(',') }) };
  const info = `Received push messages for ${taken.length} REGID`;
  return {
    ...jsonAnswer({ result: 'ok', trace_id: `Xcm${nextId()}`, code: 0, data, description: '成功', info }),
    sent: {
      pushId: pushIdOf(form),
      registrationIds: shownOn(shown, taken, form.get('extra.jobkey')),
      messageId,
      message: Object.fromEntries([...form].filter(([name]) => name !== address)),
      receiptUrl: form.get(CALLBACK) || undefined,
    },
  };
}

/** Xiaomi "API and parameters", 2024-10-21, `jobkey`: a device shows one message of each. */
function shownOn(shown: Vendor['shown'], ids: readonly string[], jobKey: string | null): readonly string[] {
  if (!jobKey) return ids;
  return ids.filter((id) => {
    const key = `${jobKey} ${id}`;
    return !shown.has(key) && shown.set(key, true);
  });
}

const pushIdOf = (form: URLSearchParams): string => form.get('extra.callback.param') || form.get('extra.jobkey') || '';

const hexOf = (seed: string): string => createHash('md5').update(seed).digest('hex').slice(0, 20);

function refused({ code, reason, description }: Refusal): SimulatorAnswer {
  return jsonAnswer({
    result: 'error',
    reason,
    trace_id: `Xdm${hexOf(reason)}`,
    code,
    description: description ?? reason,
  });
}

const TROUBLE: WrongAnswers = {
  'http-5xx': serverErrorPage(503, 'Service Unavailable'),
  throttled: refused({ code: 200002, reason: 'QPS exceeded.', description: 'QPS超过限制' }),
  quota: refused({ code: 200001, reason: 'exceed quota, quota:10000, have acked:10000', description: '超过每日配额' }),
  garbage: brokenAnswer('{"result":"ok","trace_id":"Xcm0'),
};

const RECEIPT_TYPE = { delivered: 1, clicked: 2, 'registration-gone': 16, unknown: 4096 } as const;

/** Delivered and clicked. */
const DEFAULT_TYPES = '3';

/** Whether a message with an address asks to be told of it; an event that nobody can ask for is told anyway. */
function isAsked(kind: keyof typeof RECEIPT_TYPE, { message }: SentMessage): boolean {
  const form = message as Readonly<Record<string, string | undefined>>;
  if (!form[CALLBACK] || kind === 'unknown') return true;
  return (Number(form[`${CALLBACK}.type`] || DEFAULT_TYPES) & RECEIPT_TYPE[kind]) !== 0;
}

const receiptOf: WriteReceipt = (kind, sent, timestamp) => {
  if (!isAsked(kind, sent)) return undefined;
  const entry = {
    param: sent.pushId,
    type: RECEIPT_TYPE[kind],
    targets: sent.registrationIds.join(','),
    jobkey: '',
    barStatus: 'Enable',
    timestamp,
  };
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ data: JSON.stringify({ [sent.messageId]: entry }) }).toString(),
  };
};
