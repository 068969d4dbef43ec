import { isGone, isMalformed, jsonAnswer, SIMULATOR_SECRET } from '@pushfleet/channel-kit/testing';
import type {
  ChannelSimulator,
  SentMessage,
  SimulatorAnswer,
  SimulatorOptions,
  SimulatorRequest,
  VendorMisbehaviour,
} from '@pushfleet/channel-kit/testing';
import { DAY_MS, isJsonObject } from '@pushfleet/domain';
import { z } from 'zod';
import { AUTH_PATH, BROADCAST_PATH, SAVE_PATH, UNICAST_BATCH_PATH, UNICAST_PATH } from './endpoints';
import { signOf } from './token';

export const SIMULATOR_PROFILE = { appKey: 'sim-app', masterSecret: SIMULATOR_SECRET };

const CLOCK_WINDOW_MS = 10 * 60_000;
const OVERLAP_MS = 10 * 60_000;
const MAX_BATCH = 1000;
const MAX_REMEMBERED = 100_000;
const APP_ID = 'SimOppoApp';

/** A refusal, as the vendor numbers it. */
class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export function makeSimulator({ now }: SimulatorOptions): ChannelSimulator {
  const state: State = { now, byApp: new Map(), tokens: new Map(), saved: new Map(), reached: new Map(), serial: 0 };
  return {
    handles: (path) => path.startsWith('/server/v1/'),
    answer: (request) => refusable(() => serve(state, request)),
    misbehave(kind, request) {
      if (kind === 'token-expired') forgetTokens(state);
      const affectsAuth = kind === 'http-5xx' || kind === 'garbage' || kind === 'throttled';
      return request.path === AUTH_PATH && !affectsAuth ? refusable(() => serve(state, request)) : MISBEHAVIOUR[kind];
    },
    receipt: (kind, sent) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([
        {
          messageId: sent.messageId,
          appId: APP_ID,
          taskId: sent.messageId,
          registrationIds: sent.registrationIds.join(','),
          eventTime: String(now()),
          param: sent.pushId,
          eventType: EVENTS[kind],
        },
      ]),
    }),
  };
}

/** The vendor reports no clicks. */
const EVENTS = {
  delivered: 'push_arrive',
  'registration-gone': 'regid_invalid',
  clicked: 'sim_event_without_meaning',
  unknown: 'sim_event_without_meaning',
} as const;

const MISBEHAVIOUR: Record<VendorMisbehaviour, SimulatorAnswer> = {
  'http-5xx': { status: 503, contentType: 'text/html', body: '<html>Service Unavailable</html>' },
  throttled: jsonAnswer({ code: -2, message: 'Service in Flow Control' }),
  'token-expired': jsonAnswer({ code: 11, message: 'Invalid AuthToken' }),
  quota: jsonAnswer({ code: 33, message: 'The number of messages exceeds the daily limit' }),
  garbage: { status: 200, contentType: 'application/json', body: '{"code":0,"message":"Succ' },
};

interface Token {
  readonly appKey: string;
  readonly value: string;
  readonly createdAt: number;
}

interface State {
  readonly now: () => number;
  readonly byApp: Map<string, Token>;
  readonly tokens: Map<string, Token>;
  /** By message id. */
  readonly saved: Map<string, Saved>;
  /** Message id by app, app_message_id and target: a unicast reaches a target once. */
  readonly reached: Map<string, string>;
  serial: number;
}

interface Saved {
  readonly id: string;
  readonly appKey: string;
  readonly notification: Notification;
}

function refusable(serveRequest: () => SimulatorAnswer): SimulatorAnswer {
  try {
    return serveRequest();
  } catch (error) {
    if (error instanceof Refusal) return jsonAnswer({ code: error.code, message: error.message });
    throw error;
  }
}

const success = (data: unknown, sent?: SentMessage): SimulatorAnswer => ({
  ...jsonAnswer({ code: 0, message: 'Success', data }),
  ...(sent ? { sent } : {}),
});

type Serve = (state: State, form: URLSearchParams, appKey: string) => SimulatorAnswer;

const ROUTES: Readonly<Record<string, Serve>> = {
  [UNICAST_PATH]: unicast,
  [UNICAST_BATCH_PATH]: unicastBatch,
  [SAVE_PATH]: save,
  [BROADCAST_PATH]: broadcast,
};

function serve(state: State, request: SimulatorRequest): SimulatorAnswer {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  if (request.method !== 'POST' || !isForm) throw new Refusal(12, 'Http Action Not Allowed');
  const form = new URLSearchParams(request.body);
  if (request.path === AUTH_PATH) return authenticate(state, form);
  const route = ROUTES[request.path];
  if (!route) throw new Refusal(20, 'Invalid Method');
  return route(state, form, appOf(state, form.get('auth_token') ?? request.headers['auth_token']));
}

function authenticate(state: State, form: URLSearchParams): SimulatorAnswer {
  const [appKey, sign, timestamp] = ['app_key', 'sign', 'timestamp'].map((name) => form.get(name) ?? '');
  if (!appKey) throw new Refusal(15, 'Missing App Key');
  if (!sign) throw new Refusal(17, 'Missing Signature');
  if (!timestamp) throw new Refusal(18, 'Missing Timestamp');
  const skewMs = Math.abs(state.now() - Number(timestamp));
  if (!/^\d{13}$/.test(timestamp) || skewMs > CLOCK_WINDOW_MS) throw new Refusal(19, 'Invalid Timestamp');
  if (sign !== signOf({ appKey, timestamp: Number(timestamp), masterSecret: SIMULATOR_SECRET }))
    throw new Refusal(16, 'Invalid Signature');
  const token = currentToken(state, appKey);
  return success({ auth_token: token.value, create_time: token.createdAt });
}

/** Inside its 24 hours an app has one token; after them the old one works for ten more minutes. */
function currentToken(state: State, appKey: string): Token {
  const known = state.byApp.get(appKey);
  if (known && state.now() < known.createdAt + DAY_MS) return known;
  const token = { appKey, value: nextId(state, 'token'), createdAt: state.now() };
  state.byApp.set(appKey, token);
  state.tokens.set(token.value, token);
  return token;
}

function appOf(state: State, value: string | undefined): string {
  if (!value) throw new Refusal(29, 'Missing Auth Token');
  const token = state.tokens.get(value);
  if (!token || state.now() > token.createdAt + DAY_MS + OVERLAP_MS) throw new Refusal(11, 'Invalid AuthToken');
  return token.appKey;
}

function forgetTokens(state: State): void {
  state.byApp.clear();
  state.tokens.clear();
}

function nextId(state: State, kind: string): string {
  state.serial += 1;
  return `${kind}${state.serial.toString(36)}-${state.now().toString(36)}`;
}

function unicast(state: State, form: URLSearchParams, appKey: string): SimulatorAnswer {
  const { target, notification } = checkMessage(parseJson(required(form, 'message')));
  if (isMalformed(target)) throw new Refusal(41, 'Invalid Arguments: registration_id');
  if (isGone(target)) throw new Refusal(10000, 'Invalid Registration_id');
  const { messageId, isNew } = reach(state, [appKey, notification.app_message_id ?? '', target]);
  const pushId = notification.call_back_parameter ?? '';
  return success({ messageId }, { pushId, registrationIds: isNew ? [target] : [], messageId, message: notification });
}

function unicastBatch(state: State, form: URLSearchParams, appKey: string): SimulatorAnswer {
  const messages = z
    .array(z.unknown())
    .min(1)
    .max(MAX_BATCH)
    .safeParse(parseJson(required(form, 'messages')));
  if (!messages.success) throw new Refusal(41, 'Invalid Arguments: messages');
  const known = new Map<string, Notification>();
  const checked = messages.data.map((message) => checkMessage(message, known));
  const reached: string[] = [];
  const data = checked.map(({ target, notification }) => {
    const item = { messageId: '', registrationId: target };
    if (isInvalid(target)) return { ...item, errorCode: 10000, errorMessage: 'Invalid Registration_id' };
    const { messageId, isNew } = reach(state, [appKey, notification.app_message_id ?? '', target]);
    if (isNew) reached.push(target);
    return { ...item, messageId };
  });
  const notification = checked[0]?.notification;
  const pushId = notification?.call_back_parameter ?? '';
  const messageId = nextId(state, `${APP_ID}-1-1-`);
  return success(data, { pushId, registrationIds: reached, messageId, message: notification });
}

function reach(state: State, [appKey, appMessageId, target]: [string, string, string]) {
  const key = JSON.stringify([appKey, appMessageId, target]);
  const known = appMessageId === '' ? undefined : state.reached.get(key);
  if (known !== undefined) return { messageId: known, isNew: false };
  const messageId = nextId(state, `${APP_ID}-1-1-`);
  remember(state.reached, key, messageId);
  return { messageId, isNew: true };
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  const oldest = map.size > MAX_REMEMBERED ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

/** A content with an `app_message_id` is stored once. */
function save(state: State, form: URLSearchParams, appKey: string): SimulatorAnswer {
  const { auth_token: _, ...fields } = Object.fromEntries(form);
  const notification = checkNotification(fields);
  const id = notification.app_message_id ? `${appKey}-${notification.app_message_id}-saved` : nextId(state, 'saved');
  if (!state.saved.has(id)) remember(state.saved, id, { id, appKey, notification });
  return success({ message_id: id });
}

function broadcast(state: State, form: URLSearchParams, appKey: string): SimulatorAnswer {
  const messageId = required(form, 'message_id');
  if (required(form, 'target_type') !== '2') throw new Refusal(41, 'Invalid Arguments: target_type');
  const ids = checkTargets(required(form, 'target_value'));
  const saved = state.saved.get(messageId);
  if (saved?.appKey !== appKey) throw new Refusal(31, 'Data Not Exist');
  const invalid = ids.filter(isInvalid);
  const taskId = nextId(state, 'task');
  const data = { message_id: messageId, task_id: taskId, ...(invalid.length > 0 ? { 10000: invalid } : {}) };
  return success(data, {
    pushId: saved.notification.call_back_parameter ?? '',
    registrationIds: invalid.length > 0 ? ids.filter((id) => !isInvalid(id)) : ids,
    messageId: taskId,
    message: saved.notification,
  });
}

const isInvalid = (id: string): boolean => isGone(id) || isMalformed(id);

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw new Refusal(40, `Missing Required Arguments: ${name}`);
  return value;
}

function checkTargets(targets: string): string[] {
  const ids = targets.split(';');
  if (ids.length > MAX_BATCH) throw new Refusal(41, 'Invalid Arguments: target_value');
  if (ids.includes('')) throw new Refusal(41, 'Invalid Arguments: target_value');
  return ids;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(41, 'Invalid Arguments: not JSON');
  }
}

const points = (max: number) =>
  z.string().refine((text) => Array.from(text).length <= max, `longer than ${max} characters`);
/** The form of a saved message has everything as text. */
const integer = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
const flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
const jsonText = (max: number) => points(max).refine((text) => text.startsWith('{') && text.endsWith('}'), 'not JSON');
const parameters = z.union([z.string(), z.record(z.string(), z.string())]);

/** OPPO open platform, "Notification fields", page 11236. */
const notificationSchema = z.strictObject({
  app_message_id: z.string().max(64).optional(),
  style: integer(1, 3).optional(),
  big_picture_id: z.string().optional(),
  small_picture_id: z.string().optional(),
  title: points(50).min(1),
  sub_title: points(10).optional(),
  content: z.string().min(1),
  click_action_type: integer(0, 5).optional(),
  click_action_activity: z.string().max(500).optional(),
  click_action_url: z.string().max(2000).optional(),
  action_parameters: jsonText(4000).optional(),
  show_time_type: integer(0, 1).optional(),
  show_start_time: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  show_end_time: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  off_line: flag.optional(),
  off_line_ttl: integer(3600, 864_000).optional(),
  time_zone: z.string().optional(),
  network_type: integer(0, 1).optional(),
  channel_id: z.string().optional(),
  category: z.string().optional(),
  notify_level: integer(1, 16).optional(),
  private_msg_template_id: z.string().optional(),
  private_title_parameters: parameters.optional(),
  private_content_parameters: parameters.optional(),
  show_ttl: integer(0, 172_800).optional(),
  notify_id: integer(0, 2_147_483_647).optional(),
  badge_operation_type: integer(0, 1).optional(),
  badge_message_count: integer(0, 99).optional(),
  auditResponse: z.unknown().optional(),
  call_back_url: z
    .string()
    .refine((url) => Buffer.byteLength(url) <= 200)
    .optional(),
  call_back_parameter: points(50).optional(),
  push_time_type: integer(0, 1).optional(),
  push_start_time: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  fix_speed: flag.optional(),
  fix_speed_rate: integer(1000, 10_000).optional(),
});
type Notification = z.infer<typeof notificationSchema>;

const CATEGORIES = new Set([
  ...['IM', 'ACCOUNT', 'TODO', 'DEVICE_REMINDER', 'ORDER', 'SUBSCRIPTION'],
  ...['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'],
]);

function checkNotification(fields: unknown): Notification {
  const parsed = notificationSchema.safeParse(fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') || issue?.message || '';
    const isMissing = isJsonObject(fields) && issue?.code === 'invalid_type' && !(field in fields);
    throw isMissing
      ? new Refusal(40, `Missing Required Arguments: ${field}`)
      : new Refusal(41, `Invalid Arguments: ${field}`);
  }
  checkStyle(parsed.data);
  checkTap(parsed.data);
  checkClass(parsed.data);
  return parsed.data;
}

const CONTENT_POINTS: Readonly<Record<number, number>> = { 2: 128 };

function checkStyle({ style = 1, content, big_picture_id: picture }: Notification): void {
  if (Array.from(content).length > (CONTENT_POINTS[style] ?? 50)) throw new Refusal(41, 'Invalid Arguments: content');
  if (style === 3 && !picture) throw new Refusal(51, 'Invalid Picture');
}

const TAP_FIELDS: Readonly<Record<number, readonly (keyof Notification)[]>> = {
  0: [],
  1: ['click_action_activity'],
  2: ['click_action_url'],
  4: ['click_action_activity'],
  5: ['click_action_url'],
};

function checkTap(notification: Notification): void {
  const needed = TAP_FIELDS[notification.click_action_type ?? 0];
  if (!needed) throw new Refusal(41, 'Invalid Arguments: click_action_type');
  for (const name of needed) if (!notification[name]) throw new Refusal(40, `Missing Required Arguments: ${name}`);
}

function checkClass({ category, notify_level: level, ...times }: Notification): void {
  if (category !== undefined && !CATEGORIES.has(category)) throw new Refusal(67, 'Category error');
  if (level !== undefined && (category === undefined || ![1, 2, 16].includes(level)))
    throw new Refusal(67, 'notify_level invalid');
  if (times.show_time_type === 1 && !((times.show_start_time ?? 0) < (times.show_end_time ?? 0)))
    throw new Refusal(41, 'Invalid Arguments: show_start_time');
}

const messageSchema = z.strictObject({
  target_type: z.literal(2),
  target_value: z.string().min(1),
  verify_registration_id: z.boolean().optional(),
  notification: z.unknown(),
});

/** A batch mostly repeats one notification, which `known` saves from being checked a thousand times. */
function checkMessage(
  message: unknown,
  known: Map<string, Notification> = new Map(),
): { target: string; notification: Notification } {
  const parsed = messageSchema.safeParse(message);
  if (!parsed.success) throw new Refusal(41, `Invalid Arguments: ${parsed.error.issues[0]?.path.join('.')}`);
  const text = JSON.stringify(parsed.data.notification);
  const notification = known.get(text) ?? checkNotification(parsed.data.notification);
  known.set(text, notification);
  const hasPicture = notification.style === 3 || notification.small_picture_id !== undefined;
  if (hasPicture) throw new Refusal(27, 'Access Denied');
  return { target: parsed.data.target_value, notification };
}
