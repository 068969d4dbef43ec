import { createHash } from 'node:crypto';
import { DAY_MS, type JsonObject } from '@pushfleet/domain';
import {
  brokenAnswer,
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
import { at, isFilled, wrongField } from './testing/rules';

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
  if (!params.get('appId')) return refused({ code: '110000', message: 'appId不合法' });
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
  const wrong = wrongField(message);
  if (wrong !== undefined) return parameterError(wrong);
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

const refused = ({ code, message }: Refusal): SimulatorAnswer => jsonAnswer({ code, message, value: '', redirect: '' });

const parameterError = (name: string): SimulatorAnswer => refused({ code: '1005', message: `参数错误: ${name}` });

const readMessage = (text: string): JsonObject | undefined => parseFields(text) as JsonObject | undefined;

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
