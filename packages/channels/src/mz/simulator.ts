import { createHash } from 'node:crypto';
import { DAY_MS, isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import {
  brokenAnswer,
  codePoints,
  DeviceDesk,
  jsonAnswer,
  openSimulator,
  parseFields,
  serverErrorPage,
  SIMULATOR_SECRET,
  StrictRules,
  type MakeSimulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SortedDevices,
  type WriteReceipt,
  type WrongAnswers,
} from '@pushfleet/channel-kit/testing';

export const SIMULATOR_PROFILE = {
  appId: '100999',
  appSecret: SIMULATOR_SECRET,
  receiptToken: SIMULATOR_SECRET,
};

const API = '/garcia/api/server/push/';
const MAX_TARGETS = 100;

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Rules of which only one side is known. */
const openStrictRules = () =>
  new StrictRules({
    'registered-callback':
      'refuses every extra.callback, since none is registered on a console (Getui, "receipt"; Alibaba Cloud, help page 2859996)',
  });

interface Vendor {
  readonly desk: DeviceDesk;
  readonly strict: ReturnType<typeof openStrictRules>;
  nextId(): string;
}

/** The vendor reports with the token of its console; here it is always the one right secret. */
export const makeSimulator: MakeSimulator = ({ now }) => {
  let serial = 0;
  const nextId = (): string =>
    createHash('md5')
      .update(`${now()} ${(serial += 1)}`)
      .digest('hex');
  const vendor: Vendor = { desk: new DeviceDesk(), strict: openStrictRules(), nextId };
  return openSimulator({
    desk: vendor.desk,
    strict: vendor.strict,
    handles: (path) => path.startsWith(API),
    answer: (request) => route(vendor, request),
    wrongAnswers: () => TROUBLE,
    receipt: (kind, sent) => receiptOf(kind, sent, now()),
  });
};

type Serve = (vendor: Vendor, params: URLSearchParams) => SimulatorAnswer;

/** The document has GET for statistics, the vendor's own library (2025-04) asks by POST. */
const ROUTES: Readonly<Record<string, Serve>> = {
  [`POST ${API}varnished/pushByPushId`]: receive,
  [`GET ${API}statistics/dailyPushStatics`]: (_, params) => statistics(params),
  [`POST ${API}statistics/dailyPushStatics`]: (_, params) => statistics(params),
};

function route(vendor: Vendor, { method, path, headers, body, query }: SimulatorRequest): SimulatorAnswer {
  const serve = ROUTES[`${method} ${path}`];
  if (serve !== undefined) {
    const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    if (method === 'POST' && !isForm) return parameterError('form');
    const params = method === 'POST' ? new URLSearchParams(body) : query;
    return authenticated(params) ?? serve(vendor, params);
  }
  return { status: 404, contentType: 'text/html', body: '<html><body>404 Not Found</body></html>' };
}

/** Written anew, from the vendor's words: the channel's own signature code must not check itself. */
function authenticated(params: URLSearchParams): SimulatorAnswer | undefined {
  if (!/^\d+$/.test(params.get('appId') ?? '')) return refused({ code: '110000', message: 'appId不合法' });
  const sorted = [...params].filter(([name]) => name !== 'sign').sort(([a], [b]) => (a < b ? -1 : 1));
  const base = sorted.map(([name, value]) => `${name}=${value}`).join('') + SIMULATOR_SECRET;
  const expected = createHash('md5').update(base).digest('hex');
  return params.get('sign') === expected ? undefined : refused({ code: '1006', message: '签名认证失败' });
}

function statistics(query: URLSearchParams): SimulatorAnswer {
  const from = dayOf(query.get('startTime'));
  const to = dayOf(query.get('endTime'));
  if (from === undefined || to === undefined || from > to || to - from > 30 * DAY_MS) return parameterError('time');
  return jsonAnswer({ code: '200', message: '', value: [], redirect: '' });
}

function dayOf(text: string | null): number | undefined {
  const at = /^\d{8}$/.test(text ?? '') ? Date.parse((text ?? '').replace(/(....)(..)(..)/, '$1-$2-$3')) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function receive(vendor: Vendor, form: URLSearchParams): SimulatorAnswer {
  const pushIds = (form.get('pushIds') ?? '').split(',').filter((id) => id !== '');
  if (pushIds.length === 0 || !form.get('messageJson')) return refused({ code: '110004', message: '参数不能为空' });
  if (pushIds.length > MAX_TARGETS) return parameterError('pushIds');
  const message = readMessage(form.get('messageJson') ?? '');
  if (message === undefined) return parameterError('messageJson');
  const wrong = RULES.find(({ path, isLegal }) => !isLegal(at(message, path), message));
  if (wrong !== undefined) return parameterError(wrong.path);
  if (isFilled(at(message, 'extra.callback')) && vendor.strict.isOn('registered-callback'))
    return parameterError('extra.callback');
  return deliver(message, vendor.desk.sort(pushIds), vendor.nextId());
}

function deliver(message: JsonObject, sorted: SortedDevices, msgId: string): SimulatorAnswer {
  const { taken: registrationIds, gone, malformed, left } = sorted;
  const value = {
    ...(gone.length === 0 ? {} : { 110002: gone }),
    ...(malformed.length === 0 ? {} : { 110003: malformed }),
    ...(left.length === 0 ? {} : { 501: left }),
  };
  const answer = jsonAnswer({ code: '200', message: '', value, redirect: '', msgId });
  if (registrationIds.length === 0) return answer;
  const param = at(message, 'extra.callback.param');
  const callback = at(message, 'extra.callback');
  const sent = { pushId: typeof param === 'string' ? param : '', registrationIds, messageId: msgId, message };
  return { ...answer, sent: isFilled(callback) ? { ...sent, receiptUrl: callback } : sent };
}

const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

const refused = ({ code, message }: Refusal): SimulatorAnswer => jsonAnswer({ code, message, value: '', redirect: '' });

const parameterError = (name: string): SimulatorAnswer => refused({ code: '1005', message: `参数错误: ${name}` });

const readMessage = (text: string): JsonObject | undefined => parseFields(text) as JsonObject | undefined;

/** `part.field`, where the field's name may itself hold a dot. */
function at(message: JsonObject, path: string): Json | undefined {
  const dot = path.indexOf('.');
  const part = message[dot === -1 ? path : path.slice(0, dot)];
  return dot === -1 ? part : isJsonObject(part) ? part[path.slice(dot + 1)] : undefined;
}

interface Rule {
  readonly path: string;
  readonly isLegal: (value: Json | undefined, message: JsonObject) => boolean;
}

type Legal = Rule['isLegal'];

const text =
  (min: number, max: number): Legal =>
  (value) =>
    typeof value === 'string' && codePoints(value) >= min && codePoints(value) <= max;

const bytes =
  (max: number): Legal =>
  (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= max;

const optional =
  (isLegal: Legal): Legal =>
  (value, message) =>
    value === undefined || isLegal(value, message);

const oneOf =
  (...values: Json[]): Legal =>
  (value) =>
    value !== undefined && values.includes(value);

/** The HTTP document has 0 and 1, the official Java SDK sends booleans. */
const flag = optional(oneOf(0, 1, true, false));

/** Wanted exactly when another field has the value. */
const companion =
  (path: string, wanted: Json, isLegal: Legal): Legal =>
  (value, message) =>
    at(message, path) !== wanted || isLegal(value, message);

/** How long to keep a message for absent devices; the vendor's default applies when the whole part is absent. */
const validTime: Legal = (hours, message) => {
  const part = message['pushTimeInfo'];
  if (!isJsonObject(part) || part['offLine'] === 0 || part['offLine'] === false) return true;
  return Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 72;
};

const callbackUrl: Legal = (url, message) => bytes(128)(url, message) && /^https?:\/\//.test(String(url));

const RULES: readonly Rule[] = [
  { path: 'noticeBarInfo.title', isLegal: text(1, 32) },
  { path: 'noticeBarInfo.content', isLegal: text(1, 100) },
  { path: 'noticeBarInfo.noticeMsgType', isLegal: optional(oneOf(0, 1)) },
  { path: 'noticeBarInfo.noticeBarType', isLegal: optional(oneOf(0, 2)) },
  { path: 'noticeExpandInfo.noticeExpandType', isLegal: optional(oneOf(0, 1, 2)) },
  {
    path: 'noticeExpandInfo.noticeExpandContent',
    isLegal: companion('noticeExpandInfo.noticeExpandType', 1, text(1, 4096)),
  },
  {
    path: 'noticeExpandInfo.noticeExpandImgUrl',
    isLegal: companion('noticeExpandInfo.noticeExpandType', 2, text(1, 1000)),
  },
  { path: 'clickTypeInfo.clickType', isLegal: optional(oneOf(0, 1, 2, 3)) },
  { path: 'clickTypeInfo.activity', isLegal: companion('clickTypeInfo.clickType', 1, text(1, 1000)) },
  { path: 'clickTypeInfo.url', isLegal: companion('clickTypeInfo.clickType', 2, text(1, 1000)) },
  { path: 'clickTypeInfo.customAttribute', isLegal: optional(bytes(1000)) },
  { path: 'clickTypeInfo.parameters', isLegal: optional(isJsonObject) },
  { path: 'pushTimeInfo.offLine', isLegal: flag },
  { path: 'pushTimeInfo.validTime', isLegal: validTime },
  { path: 'advanceInfo.suspend', isLegal: flag },
  { path: 'advanceInfo.clearNoticeBar', isLegal: flag },
  { path: 'advanceInfo.fixDisplay', isLegal: flag },
  { path: 'advanceInfo.notificationType', isLegal: optional(isJsonObject) },
  {
    path: 'advanceInfo.notifyKey',
    isLegal: optional((key) => typeof key === 'string' && /^[0-9A-Za-z_-]{0,8}$/.test(key)),
  },
  { path: 'extra.callback.param', isLegal: optional(bytes(64)) },
  { path: 'extra.callback.type', isLegal: optional(oneOf('1', '2', '3', 1, 2, 3)) },
  {
    path: 'extra.callback',
    // The address asks for receipts; without one the vendor's library sends an empty part.
    isLegal: (url, message) =>
      at(message, 'extra.callback.param') === undefined && at(message, 'extra.callback.type') === undefined
        ? optional(callbackUrl)(url, message)
        : callbackUrl(url, message),
  },
];

const TROUBLE: WrongAnswers = {
  'http-5xx': serverErrorPage(503, 'Service Unavailable'),
  throttled: refused({ code: '110010', message: '应用请求频率超过限制' }),
  quota: refused({ code: '110019', message: '应用当日推送次数超过限制' }),
  garbage: brokenAnswer('{"code":"200","value":{'),
};

const RECEIPT_TYPE = { delivered: 1, clicked: 2, 'registration-gone': 9, unknown: 9 } as const;

/** Arrival and clicks: what a message asks for that names no type. */
const BOTH = 3;

/** The vendor reports arrival and clicks only; a dead registration it tells at the next push. */
const receiptOf: WriteReceipt = (kind, sent) => {
  const type = RECEIPT_TYPE[kind];
  const asked = at(sent.message as JsonObject, 'extra.callback.type') ?? BOTH;
  if (type <= BOTH && (Number(asked) & type) === 0) return undefined;
  const cb = { [`${sent.messageId}-${type}`]: { param: sent.pushId, type, targets: sent.registrationIds } };
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: new URLSearchParams({ cb: JSON.stringify(cb), access_token: SIMULATOR_SECRET }).toString(),
  };
};
