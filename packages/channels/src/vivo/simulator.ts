import {
  BoundedMap,
  codePoints,
  DeviceDesk,
  isGone,
  isMalformed,
  jsonAnswer,
  SIMULATOR_SECRET,
  StrictRules,
  TokenDesk,
} from '@pushfleet/channel-kit/testing';
import type {
  ChannelSimulator,
  SentMessage,
  SimulatorAnswer,
  SimulatorOptions,
  SimulatorRequest,
  VendorMisbehaviour,
} from '@pushfleet/channel-kit/testing';
import { DAY_MS, isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { AUTH_PATH, LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { signOf } from './token';

export const SIMULATOR_PROFILE = { appId: '10004', appKey: 'sim-app-key', appSecret: SIMULATOR_SECRET };

const CLOCK_WINDOW_MS = 10 * 60_000;
const MIN_BATCH = 2;
const MAX_BATCH = 1000;
const MAX_REMEMBERED = 20_000;

/** A refusal, as the vendor numbers it. */
class Refusal extends Error {
  constructor(
    readonly result: number,
    readonly desc: string,
    readonly details: JsonObject = {},
  ) {
    super(desc);
  }
}

/** Rules of which only one side is known: documents of different years, or what only senders tell. */
const openStrictRules = () =>
  new StrictRules({
    'app-key': 'refuses every appKey but the profile’s own, as 10202 (vivo push server API 2.9.2, "Return codes")',
    'app-id': 'refuses a message without appId, as 10094 (2.9.2; the vendor’s own library 3.3 sends none)',
    'auth-rate':
      'refuses more than 10 authentications a second of an app, as 10093 (2.9.2, "Auth"; one server for the code)',
    'old-lengths': 'refuses skipContent over 1024 and callback.param over 64 (2.9.2; newer notes have 2048 and 192)',
    'one-day': 'refuses a life of over a day, as 10059 (newer notes: cut to a day; server SDK 2.x: seven days)',
  });

type VivoStrictRules = ReturnType<typeof openStrictRules>;

interface State {
  readonly now: () => number;
  readonly strict: VivoStrictRules;
  /** When each app was last authenticated: strict only. */
  readonly authenticated: BoundedMap<readonly number[]>;
  readonly desk: DeviceDesk;
  readonly tokens: TokenDesk;
  /** By task id. */
  readonly saved: Map<string, SavedPayload>;
  /** Answers by app, path and requestId: the vendor does not carry out the same request twice. */
  readonly answered: Map<string, SimulatorAnswer>;
  serial: number;
}

interface SavedPayload {
  readonly appId: string;
  readonly message: JsonObject;
  readonly expiresAt: number;
}

export function makeSimulator({ now }: SimulatorOptions): ChannelSimulator {
  const desk = new DeviceDesk();
  const nameOf = (_: string, serial: number): string => `token${serial.toString(36)}-${now().toString(36)}`;
  const tokens = new TokenDesk({ now, lifeMs: DAY_MS, nameOf });
  const state: State = {
    ...{ now, desk, tokens, serial: 0, strict: openStrictRules() },
    authenticated: new BoundedMap<readonly number[]>(MAX_REMEMBERED),
    saved: new BoundedMap<SavedPayload>(MAX_REMEMBERED),
    answered: new BoundedMap<SimulatorAnswer>(MAX_REMEMBERED),
  };
  return {
    handles: (path) => path.startsWith('/message/'),
    answer: (request) => serve(state, request),
    strict: state.strict,
    misbehave(kind, request) {
      if (kind === 'partial') return desk.partly(() => serve(state, request));
      if (kind === 'token-expired') state.tokens.expireAll();
      if (request.path !== AUTH_PATH) return MISBEHAVIOUR[kind];
      if (kind === 'throttled') return AUTH_TOO_OFTEN;
      return kind === 'http-5xx' || kind === 'garbage' ? MISBEHAVIOUR[kind] : serve(state, request);
    },
    receipt: (kind, sent) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        [sent.messageId]: {
          targets: sent.registrationIds.join(','),
          ackTime: now(),
          param: sent.pushId,
          ackType: kind === 'delivered' ? '0' : '990',
        },
      }),
    }),
  };
}

const MISBEHAVIOUR: Record<Exclude<VendorMisbehaviour, 'partial'>, SimulatorAnswer> = {
  'http-5xx': { status: 500, contentType: 'text/plain', body: 'Internet server error!' },
  throttled: jsonAnswer({ result: 10072, desc: '发送速度过快' }),
  'token-expired': jsonAnswer({ result: 10000, desc: '权限认证失败' }),
  quota: jsonAnswer({ result: 10070, desc: '超过当天发送总量' }),
  garbage: { status: 200, contentType: 'application/json', body: '{"result":0,"desc":"请求' },
};

const AUTH_TOO_OFTEN = jsonAnswer({ result: 10093, desc: '鉴权频率过高' });

type Serve = (state: State, body: JsonObject, appId: string) => SimulatorAnswer;

const ROUTES: Readonly<Record<string, Serve>> = { [SEND_PATH]: send, [SAVE_PATH]: save, [LIST_PATH]: pushToList };

function serve(state: State, request: SimulatorRequest): SimulatorAnswer {
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  if (request.method !== 'POST' || !isJson) return { status: 415, contentType: 'text/plain', body: 'POST JSON' };
  try {
    const body = parseBody(request.body);
    if (request.path === AUTH_PATH) return authenticate(state, body);
    const route = ROUTES[request.path];
    if (!route) return { status: 404, contentType: 'text/plain', body: 'not found' };
    const appId = appOf(state, request.headers['authtoken'], body);
    return once(state, [appId, request.path, checkRequestId(body)], () => route(state, body, appId));
  } catch (error) {
    if (error instanceof Refusal) return jsonAnswer({ result: error.result, desc: error.desc, ...error.details });
    throw error;
  }
}

function parseBody(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJsonObject(parsed)) return parsed as JsonObject;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal(10050, '参数不合法');
}

const success = (answer: JsonObject, sent?: SentMessage): SimulatorAnswer => ({
  ...jsonAnswer({ result: 0, desc: '请求成功', ...answer }),
  ...(sent ? { sent } : {}),
});

function once(state: State, key: readonly string[], carryOut: () => SimulatorAnswer): SimulatorAnswer {
  const name = key.join(' ');
  const known = state.answered.get(name);
  if (known) return known;
  const answer = carryOut();
  state.answered.set(name, answer.sent ? { ...answer, sent: { ...answer.sent, registrationIds: [] } } : answer);
  return answer;
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

type Rule = readonly [result: number, desc: string, isBroken: (body: JsonObject, strict: VivoStrictRules) => boolean];

const AUTH_RULES: readonly Rule[] = [
  [10200, 'appId为空', ({ appId }) => isEmpty(appId)],
  [10201, 'appKey为空', ({ appKey }) => isEmpty(appKey)],
  [10203, 'timestamp为空', ({ timestamp }) => isEmpty(timestamp)],
  [10204, 'sign为空', ({ sign }) => isEmpty(sign)],
];

function authenticate(state: State, body: JsonObject): SimulatorAnswer {
  check(AUTH_RULES, body, state.strict);
  const [appId, appKey, timestamp] = [String(body['appId']), String(body['appKey']), Number(body['timestamp'])];
  const isClose = Math.abs(state.now() - timestamp) <= CLOCK_WINDOW_MS;
  if (!isClose || String(timestamp).length !== 13) throw new Refusal(10207, 'timestamp不合法');
  if (body['sign'] !== signOf({ appId, appKey, timestamp, appSecret: SIMULATOR_SECRET }))
    throw new Refusal(10206, 'sign不正确');
  if (state.strict.isOn('app-key') && appKey !== SIMULATOR_PROFILE.appKey) throw new Refusal(10202, 'appKey不合法');
  if (state.strict.isOn('auth-rate') && isTooOften(state, appId)) return AUTH_TOO_OFTEN;
  return success({ authToken: state.tokens.issue(appId).value });
}

const MAX_AUTH_PER_SECOND = 10;

function isTooOften({ authenticated, now }: State, appId: string): boolean {
  const lately = (authenticated.get(appId) ?? []).filter((at) => at > now() - 1000);
  if (lately.length >= MAX_AUTH_PER_SECOND) return true;
  authenticated.set(appId, [...lately, now()]);
  return false;
}

function appOf(state: State, authToken: string | undefined, body: JsonObject): string {
  const found = state.tokens.ownerOf(authToken);
  if (typeof found === 'string') throw new Refusal(10000, '权限认证失败');
  const isAbsent = body['appId'] === undefined && !state.strict.isOn('app-id');
  if (!isAbsent && String(body['appId']) !== found.owner) throw new Refusal(10094, 'appId不一致');
  return found.owner;
}

function nextId(state: State, kind: string): string {
  state.serial += 1;
  return `${kind}${state.serial.toString(36)}-${state.now().toString(36)}`;
}

function send(state: State, body: JsonObject): SimulatorAnswer {
  const { regId, ...message } = body;
  if (isEmpty(regId)) throw new Refusal(10050, 'regId和alias不能同时为空');
  checkMessage(message, 60, state.strict);
  const registrationId = String(regId);
  const status = statusOf(registrationId);
  if (status !== undefined)
    throw new Refusal(10302, 'regId不合法', { invalidUser: { status, userid: registrationId } });
  const taskId = nextId(state, 'task');
  const sent = { ...sentOf(message, taskId), registrationIds: [registrationId] };
  return success({ taskId }, { ...sent, receiptUrl: singleReceiptUrl(message) });
}

function statusOf(registrationId: string): number | undefined {
  if (isMalformed(registrationId)) return 1;
  return isGone(registrationId) ? 2 : undefined;
}

function save(state: State, message: JsonObject, appId: string): SimulatorAnswer {
  checkMessage(message, 900, state.strict);
  const taskId = nextId(state, 'task');
  const expiresAt = state.now() + Number(message['timeToLive'] ?? 86_400) * 1000;
  state.saved.set(taskId, { appId, message, expiresAt });
  return success({ taskId });
}

function pushToList(state: State, body: JsonObject, appId: string): SimulatorAnswer {
  const regIds = Array.isArray(body['regIds']) ? (body['regIds'] as readonly string[]) : [];
  if (regIds.length === 0) throw new Refusal(10150, 'regIds为空');
  if (regIds.length < MIN_BATCH || regIds.length > MAX_BATCH) throw new Refusal(10153, 'regIds个数不合法');
  const taskId = String(body['taskId'] ?? '');
  const { message } = savedPayload(state, taskId, appId);
  const { taken: registrationIds, gone, malformed, left } = state.desk.sort(regIds);
  const invalidUsers = [...gone, ...malformed, ...left].map((userid) => ({ status: statusOf(userid) ?? 1, userid }));
  return success({ invalidUsers }, { ...sentOf(message, taskId), registrationIds });
}

function savedPayload(state: State, taskId: string, appId: string): SavedPayload {
  if (taskId === '') throw new Refusal(10151, 'taskId为空');
  const saved = state.saved.get(taskId);
  if (saved?.appId !== appId) throw new Refusal(10152, 'taskId不合法');
  if (state.now() >= saved.expiresAt) throw new Refusal(10155, '消息不存在或已过期');
  return saved;
}

function sentOf(message: JsonObject, messageId: string): Omit<SentMessage, 'registrationIds'> {
  const extra = isJsonObject(message['extra']) ? message['extra'] : {};
  return { pushId: String(extra['callback.param'] ?? ''), messageId, message };
}

/** The address in a message reports single sends only; one that the console knows (`callback.id`) wins over it. */
function singleReceiptUrl(message: JsonObject): string | undefined {
  const { callback, 'callback.id': id } = extraOf(message);
  return isEmpty(id) && typeof callback === 'string' && callback !== '' ? callback : undefined;
}

function checkRequestId({ requestId }: JsonObject): string {
  if (isEmpty(requestId)) throw new Refusal(10352, 'requestId为空');
  if (String(requestId).length > 64) throw new Refusal(10353, 'requestId超过64个字符');
  return String(requestId);
}

function check(rules: readonly Rule[], body: JsonObject, strict: VivoStrictRules): void {
  for (const [result, desc, isBroken] of rules) if (isBroken(body, strict)) throw new Refusal(result, desc);
}

const isOver = (value: Json | undefined, max: number): boolean => codePoints(String(value)) > max;
/** The vendor's own samples write some numbers as text. */
const isNone = (value: Json | undefined, allowed: readonly number[]): boolean => !allowed.includes(Number(value));
const isOptionalNone = (value: Json | undefined, allowed: readonly number[]): boolean =>
  value !== undefined && isNone(value, allowed);

const SYSTEM = ['IM', 'ACCOUNT', 'TODO', 'DEVICE_REMINDER', 'ORDER', 'SUBSCRIPTION'];
const OPERATION = ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'];

const isMismatched = ({ classification, category }: JsonObject): boolean =>
  category !== undefined &&
  classification !== undefined &&
  !(Number(classification) === 1 ? SYSTEM : OPERATION).includes(String(category));

const pairsOf = ({ clientCustomMap }: JsonObject): [string, Json][] =>
  isJsonObject(clientCustomMap) ? Object.entries(clientCustomMap) : [];

const arePairsIllegal = (body: JsonObject): boolean => {
  if (body['clientCustomMap'] !== undefined && !isJsonObject(body['clientCustomMap'])) return true;
  const pairs = pairsOf(body);
  const length = pairs.reduce((total, [key, value]) => total + key.length + String(value).length, 0);
  return length > 1024 || pairs.some(([, value]) => typeof value !== 'string');
};

const EXTRA_KEYS = ['callback', 'callback.param', 'callback.id'];
const extraOf = ({ extra }: JsonObject): JsonObject => (isJsonObject(extra) ? extra : {});

/** vivo push server API 2.9.2, "Single push"; limits as in the vendor's newer descriptions. */
const MESSAGE_RULES: readonly Rule[] = [
  [10054, 'notifyType不合法', ({ notifyType }) => isNone(notifyType, [1, 2, 3, 4])],
  [10055, 'title为空', ({ title }) => isEmpty(title)],
  [10056, 'title过长', ({ title }) => isOver(title, 40)],
  [10057, 'content为空', ({ content }) => isEmpty(content)],
  [10058, 'content过长', ({ content }) => isOver(content, 100)],
  [10060, 'skipType不合法', ({ skipType }) => isNone(skipType, [1, 2, 3, 4])],
  [10061, 'skipContent为空', ({ skipType, skipContent }) => skipType === 2 && isEmpty(skipContent)],
  [10062, 'skipContent过长', (body, strict) => isLinkTooLong(body, 2, strict)],
  [10063, 'skipContent为空', ({ skipType, skipContent }) => skipType === 3 && isEmpty(skipContent)],
  [10064, 'skipContent过长', (body, strict) => isLinkTooLong(body, 3, strict)],
  [10068, 'skipContent为空', ({ skipType, skipContent }) => skipType === 4 && isEmpty(skipContent)],
  [10069, 'skipContent过长', (body, strict) => isLinkTooLong(body, 4, strict)],
  [10065, 'networkType不合法', ({ networkType }) => isOptionalNone(networkType, [-1, 1])],
  [10066, '自定义键值对超过10个', (body) => pairsOf(body).length > 10],
  [10067, '自定义键值对不合法', arePairsIllegal],
  [10095, 'notifyId不合法', ({ notifyId }) => notifyId !== undefined && !isNotifyId(notifyId)],
  [11000, 'classification不合法', ({ classification }) => isOptionalNone(classification, [0, 1])],
  [10096, 'category不合法', ({ category }) => category !== undefined && !isCategory(category)],
  [10097, 'category与classification不匹配', isMismatched],
  [10304, 'extra包含未知key', (body) => Object.keys(extraOf(body)).some((key) => !EXTRA_KEYS.includes(key))],
  [10305, 'callback过长', (body) => isOver(extraOf(body)['callback'] ?? '', 128)],
  [
    10306,
    'callback.param过长',
    (body, strict) => isOver(extraOf(body)['callback.param'] ?? '', strict.isOn('old-lengths') ? 64 : 192),
  ],
  [10050, 'addBadge不合法', ({ addBadge }) => addBadge !== undefined && typeof addBadge !== 'boolean'],
];

function isLinkTooLong({ skipType, skipContent }: JsonObject, type: number, strict: VivoStrictRules): boolean {
  return skipType === type && isOver(skipContent, strict.isOn('old-lengths') ? 1024 : 2048);
}

const isCategory = (category: Json): boolean => [...SYSTEM, ...OPERATION].includes(String(category));
const isNotifyId = (id: Json): boolean => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= 2_147_483_647;

function checkMessage(message: JsonObject, minTtlS: number, strict: VivoStrictRules): void {
  check(MESSAGE_RULES, message, strict);
  const ttl = Number(message['timeToLive'] ?? 86_400);
  const maxTtlS = strict.isOn('one-day') ? 86_400 : 604_800;
  if (!Number.isInteger(ttl) || ttl < minTtlS || ttl > maxTtlS) throw new Refusal(10059, 'timeToLive不合法');
}
