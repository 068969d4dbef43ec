import {
  BoundedMap,
  DeviceDesk,
  isGone,
  isMalformed,
  jsonAnswer,
  openSimulator,
  parseFields,
  SIMULATOR_SECRET,
  TokenDesk,
  type MakeSimulator,
  type SentMessage,
  type SimulatorAnswer,
  type SimulatorRequest,
  type WrongAnswers,
} from '@pushfleet/channel-kit/testing';
import { DAY_MS, isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { AUTH_PATH, LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import {
  AUTH_RULES,
  check,
  checkMessage,
  checkRequestId,
  extraOf,
  isEmpty,
  openStrictRules,
  Refusal,
  type VivoStrictRules,
} from './testing/rules';
import { signOf } from './token';

export const SIMULATOR_PROFILE = { appId: '10004', appKey: 'sim-app-key', appSecret: SIMULATOR_SECRET };

const CLOCK_WINDOW_MS = 10 * 60_000;
const MIN_BATCH = 2;
const MAX_BATCH = 1000;
const MAX_REMEMBERED = 20_000;

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

export const makeSimulator: MakeSimulator = ({ now }) => {
  const desk = new DeviceDesk();
  const nameOf = (_: string, serial: number): string => `token${serial.toString(36)}-${now().toString(36)}`;
  const tokens = new TokenDesk({ now, lifeMs: DAY_MS, nameOf });
  const state: State = {
    now,
    desk,
    tokens,
    serial: 0,
    strict: openStrictRules(),
    authenticated: new BoundedMap<readonly number[]>(MAX_REMEMBERED),
    saved: new BoundedMap<SavedPayload>(MAX_REMEMBERED),
    answered: new BoundedMap<SimulatorAnswer>(MAX_REMEMBERED),
  };
  return openSimulator({
    desk,
    tokens,
    strict: state.strict,
    handles: (path) => path.startsWith('/message/'),
    answer: (request) => serve(state, request),
    wrongAnswers: (path) => ({ ...TROUBLE, ...(path === AUTH_PATH ? { throttled: AUTH_TOO_OFTEN } : REFUSED) }),
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
  });
};

/** To any call. */
const TROUBLE: WrongAnswers = {
  'http-5xx': { status: 500, contentType: 'text/plain', body: 'Internet server error!' },
  garbage: { status: 200, contentType: 'application/json', body: '{"result":0,"desc":"请求' },
};

const AUTH_TOO_OFTEN = jsonAnswer({ result: 10093, desc: '鉴权频率过高' });

/** To calls that carry a token. */
const REFUSED: WrongAnswers = {
  throttled: jsonAnswer({ result: 10072, desc: '发送速度过快' }),
  'token-expired': jsonAnswer({ result: 10000, desc: '权限认证失败' }),
  quota: jsonAnswer({ result: 10070, desc: '超过当天发送总量' }),
};

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
  const body = parseFields(text);
  if (body === undefined) throw new Refusal(10050, '参数不合法');
  return body as JsonObject;
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
  const registrationId = textOf(regId);
  checkMessage(message, 60, state.strict);
  const status = statusOf(registrationId);
  if (status !== undefined)
    throw new Refusal(10302, 'regId不合法', { invalidUser: { status, userid: registrationId } });
  const taskId = nextId(state, 'task');
  const sent = { ...sentOf(message, taskId), registrationIds: [registrationId] };
  return success({ taskId }, { ...sent, receiptUrl: singleReceiptUrl(message) });
}

/** The vendor's ids have more digits than a number keeps. */
function textOf(regId: Json | undefined): string {
  if (typeof regId !== 'string' || regId === '') throw new Refusal(10302, 'regId不合法');
  return regId;
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
  const given: readonly Json[] = Array.isArray(body['regIds']) ? body['regIds'] : [];
  if (given.length === 0) throw new Refusal(10150, 'regIds为空');
  if (given.length < MIN_BATCH || given.length > MAX_BATCH) throw new Refusal(10153, 'regIds个数不合法');
  const regIds = given.map(textOf);
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
