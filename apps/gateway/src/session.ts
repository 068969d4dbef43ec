import { LARGEST_MAILBOX, LIMITS } from '@pushfleet/domain';
import type { Command, DataMessage } from '@pushfleet/own-protocol';
import { bytesOf, dataCommands } from './data-commands';

/** Whom a connection stands for. Knowing both is all that a device can show: they are secrets together. */
export interface Identity {
  readonly app: string;
  readonly installationId: string;
}

/** A message and the reference by which the mailbox holds it. */
export interface MailboxMessage extends DataMessage {
  readonly reference: string;
}

/** A message that was sent on this connection and was in the mailbox when that was last looked at. */
export interface Held {
  readonly reference: string;
  readonly isAcknowledged: boolean;
}

type HeldById = ReadonlyMap<string, Held>;

/** Most connections hold nothing most of the time, and a map of their own would be a tenth of what they take. */
const NOTHING: HeldById = new Map();
const orNothing = (held: HeldById): HeldById => (held.size === 0 ? NOTHING : held);

/** Changes in place what a live session holds: a copy for each message would cost as much as a device leaves unacknowledged. */
function holding({ held }: Live, change: (held: Map<string, Held>) => void): HeldById {
  const own = held === NOTHING ? new Map<string, Held>() : (held as Map<string, Held>);
  change(own);
  return orNothing(own);
}

/** What was not sent of the mailbox, because enough is on its way: nothing, or it waits for that, or is being read. */
type Rest = 'none' | 'waiting' | 'reading';

export type SessionState =
  | { readonly phase: 'new' }
  | {
      readonly phase: 'joining';
      readonly identity: Identity;
      /** Number of the login request, to be repeated in its answer. */
      readonly i: number | undefined;
      /** Something arrived for the mailbox, perhaps after it was read. */
      readonly isStale: boolean;
    }
  | {
      readonly phase: 'live';
      readonly identity: Identity;
      readonly held: HeldById;
      readonly rest: Rest;
    }
  | { readonly phase: 'over' };

export type SessionEvent =
  | { readonly kind: 'frame'; readonly command: Command }
  | { readonly kind: 'malformed' }
  /** The installation is this connection's now; what its mailbox holds. */
  | ({ readonly kind: 'joined' } & Backlog)
  /** What the mailbox holds, looked at again. */
  | ({ readonly kind: 'backlog' } & Backlog)
  /** One more message in the mailbox. */
  | { readonly kind: 'stored'; readonly message: MailboxMessage }
  /** There is room for more: most of what was sent has left. */
  | { readonly kind: 'written' }
  /** Acknowledged messages are out of the mailbox. */
  | { readonly kind: 'confirmed'; readonly ids: readonly string[] }
  | { readonly kind: 'end'; readonly close: Close; readonly isTold: boolean };

interface Backlog {
  readonly messages: readonly MailboxMessage[];
  /** As much of them may be sent at once: a device that gets more than it reads is dropped before it acknowledges any. */
  readonly mostBytes: number;
}

export interface Close {
  readonly code: number;
  readonly reason: string;
}

export type Effect =
  | { readonly kind: 'send'; readonly command: Command }
  /** Take the installation over and read its mailbox; answered by `joined` or `end`. */
  | { readonly kind: 'join'; readonly identity: Identity }
  /** Read the mailbox; answered by `backlog`. */
  | { readonly kind: 'read'; readonly identity: Identity }
  /** The same for the rest of it, which no login asks for. */
  | { readonly kind: 'read-on'; readonly identity: Identity }
  /** Count these as delivered and take them out of the mailbox; answered by `confirmed`. */
  | { readonly kind: 'confirm'; readonly identity: Identity; readonly messages: readonly Confirmation[] }
  /** The installation is not connected any more. */
  | { readonly kind: 'leave'; readonly identity: Identity }
  | ({ readonly kind: 'close' } & Close);

export interface Confirmation {
  readonly id: string;
  readonly reference: string;
}

export type Step = readonly [SessionState, readonly Effect[]];

/** Codes and reasons that published clients know. */
export const CLOSES = {
  appNotAvailable: { code: 4100, reason: 'APP_NOT_AVAILABLE' },
  invalidLogin: { code: 4103, reason: 'INVALID_LOGIN' },
  idle: { code: 4107, reason: 'READ_TIMEOUT' },
  loginTimeout: { code: 4108, reason: 'LOGIN_TIMEOUT' },
  tooLong: { code: 4109, reason: 'FRAME_TOO_LONG' },
  takenOver: { code: 4111, reason: 'SESSION_CONFLICT' },
  tooFast: { code: 4116, reason: 'SENT_TOO_FAST' },
  fault: { code: 4200, reason: 'INTERNAL_ERROR' },
  leaving: { code: 1001, reason: 'GOING_AWAY' },
} as const satisfies Record<string, Close>;

/** For chat: the request fails, the connection stays. */
const UNSUPPORTED: Close = { code: 4105, reason: 'SESSION_REQUIRED: this server carries pushes only' };

export const NEW_SESSION: SessionState = { phase: 'new' };

type Open = Exclude<SessionState, { phase: 'over' }>;
type Live = Extract<SessionState, { phase: 'live' }>;

type On<K extends SessionEvent['kind']> = (state: Open, event: Extract<SessionEvent, { kind: K }>) => Step;

const ON: { readonly [K in SessionEvent['kind']]: On<K> } = {
  frame: (state, { command }) => ON_COMMAND[command.cmd]?.(state, command) ?? [state, []],
  // A published client that meets nonsense logs it and goes on; so does this side, once it knows the client.
  malformed: (state) => (state.phase === 'new' ? end(state, CLOSES.invalidLogin) : [state, []]),
  joined: (state, event) => (state.phase === 'joining' ? welcome(state, event) : [state, []]),
  backlog: (state, event) => (state.phase === 'live' ? deliverBacklog(state, event) : [state, []]),
  stored: (state, { message }) => onStored(state, message),
  confirmed: (state, { ids }) => (state.phase === 'live' ? [without(state, ids), []] : [state, []]),
  written: (state) => (state.phase === 'live' && state.rest === 'waiting' ? readOn(state) : [state, []]),
  end: (state, { close, isTold }) => end(state, close, isTold),
};

/** What an event changes, and what is to be done about it. */
export function step(state: SessionState, event: SessionEvent): Step {
  if (state.phase === 'over') return [state, []];
  return (ON[event.kind] as On<typeof event.kind>)(state, event);
}

type OnCommand = (state: Open, command: Command) => Step;

const ON_COMMAND: Partial<Record<Command['cmd'], OnCommand>> = {
  login: onLogin,
  ack: (state, { ids = [] }) => (state.phase === 'live' ? acknowledge(state, ids) : [state, []]),
  echo: (state, command) => [state, [reply(command, { cmd: 'echo' })]],
  logout: onLogout,
  session: refuse,
  other: refuse,
};

const reply = ({ i }: Command, command: Command): Effect => ({
  kind: 'send',
  command: { ...command, ...(i === undefined ? {} : { i }) },
});

/**
 * An error that answers no request would end the connection of some clients: then nothing is said. A client with several
 * chat sessions finds the one that an error is for by its name.
 */
function refuse(state: Open, command: Command): Step {
  const { i, service, peerId } = command;
  if (i === undefined) return [state, []];
  const whose = { ...(service === undefined ? {} : { service }), ...(peerId === undefined ? {} : { peerId }) };
  return [state, [reply(command, { cmd: 'error', ...whose, error: UNSUPPORTED })]];
}

const isId = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && Buffer.byteLength(text) <= LIMITS.loginIdBytes.value;

const [PUSH, LIVE_QUERY] = [0, 1];

/**
 * A Java client drops its whole connection, push included, when the login of a live query fails. Answered, it subscribes
 * over HTTP, reads there that this is no service for live queries, and stays.
 */
function onLogin(state: Open, command: Command): Step {
  const { service = PUSH } = command;
  if (service === LIVE_QUERY) return [state, [loggedIn(command.i, LIVE_QUERY)]];
  return service === PUSH ? onPushLogin(state, command) : refuse(state, command);
}

function onPushLogin(state: Open, command: Command): Step {
  const { appId, installationId, i } = command;
  if (!isId(appId) || !isId(installationId)) return end(state, CLOSES.invalidLogin);
  const identity: Identity = { app: appId, installationId };
  if (state.phase === 'new') return [{ phase: 'joining', identity, i, isStale: false }, [{ kind: 'join', identity }]];
  if (!isSame(state.identity, identity)) return end(state, CLOSES.invalidLogin);
  if (state.phase === 'joining') return [{ ...state, i }, []];
  // A second login asks for everything that is not acknowledged.
  const held = new Map([...state.held].filter(([, { isAcknowledged }]) => isAcknowledged));
  return [{ ...state, held }, [loggedIn(i), { kind: 'read', identity: state.identity }]];
}

/** A JavaScript client that has no live query any more logs that out; pushes on the same connection go on. */
function onLogout(state: Open, command: Command): Step {
  if (command.service === LIVE_QUERY) return [state, [reply(command, { cmd: 'loggedout', service: LIVE_QUERY })]];
  return [NEW_SESSION, [...leave(state), reply(command, { cmd: 'loggedout' })]];
}

const isSame = (a: Identity, b: Identity): boolean => a.app === b.app && a.installationId === b.installationId;

/** Java clients look for the presence of `service`, JavaScript clients for the number of their request. */
const loggedIn = (i: number | undefined, service = PUSH): Effect => ({
  kind: 'send',
  command: { cmd: 'loggedin', service, ...(i === undefined ? {} : { i }) },
});

function welcome({ identity, i, isStale }: Extract<SessionState, { phase: 'joining' }>, backlog: Backlog): Step {
  const live: Live = { phase: 'live', identity, held: NOTHING, rest: 'none' };
  const [state, effects] = deliverBacklog(live, backlog);
  return [state, [loggedIn(i), ...effects, ...(isStale ? [{ kind: 'read', identity } as const] : [])]];
}

/**
 * Sends what was not sent on this connection, as much as there is room for, and forgets what is not in the mailbox any more.
 * What is there although it was acknowledged is taken out once more: that may have failed.
 */
function deliverBacklog(state: Live, { messages, mostBytes }: Backlog): Step {
  const isLeft = ({ id }: MailboxMessage): boolean => state.held.get(id)?.isAcknowledged === true;
  const unsent = messages.filter(({ id }) => !state.held.has(id));
  const due = unsent.slice(0, countThatFit(unsent, mostBytes));
  const later = new Set(unsent.slice(due.length));
  const held = new Map(
    messages
      .filter((message) => !later.has(message))
      .map(({ id, reference }) => [id, state.held.get(id) ?? { reference, isAcknowledged: false }]),
  );
  const effects = [
    ...deliver(due),
    ...confirm(
      state,
      messages.filter(isLeft).map(({ id, reference }) => ({ id, reference })),
    ),
  ];
  return [{ ...state, held: orNothing(held), rest: later.size > 0 ? 'waiting' : 'none' }, effects];
}

/** How many of the first, and one at least. */
function countThatFit(messages: readonly MailboxMessage[], mostBytes: number): number {
  let bytes = 0;
  const beyond = messages.findIndex((message, n) => (bytes += bytesOf(message)) > mostBytes && n > 0);
  return beyond === -1 ? messages.length : beyond;
}

const readOn = (state: Live): Step => [{ ...state, rest: 'reading' }, [{ kind: 'read-on', identity: state.identity }]];

function onStored(state: Open, message: MailboxMessage): Step {
  if (state.phase === 'joining') return [{ ...state, isStale: true }, []];
  if (state.phase === 'new' || state.held.has(message.id)) return [state, []];
  const held = holding(state, (own) => {
    own.set(message.id, { reference: message.reference, isAcknowledged: false });
    // Of a device that acknowledges nothing, the oldest have left the mailbox.
    if (own.size > LARGEST_MAILBOX) for (const oldest of own.keys()) return void own.delete(oldest);
  });
  return [{ ...state, held }, deliver([message])];
}

const deliver = (messages: readonly MailboxMessage[]): readonly Effect[] =>
  dataCommands(messages).map((command) => ({ kind: 'send', command }));

/** Only what was sent here can be acknowledged here. */
function acknowledge(state: Live, ids: readonly string[]): Step {
  const messages: Confirmation[] = [];
  const held = holding(state, (own) => {
    for (const id of ids) {
      const entry = own.get(id);
      if (!entry || entry.isAcknowledged) continue;
      own.set(id, { ...entry, isAcknowledged: true });
      messages.push({ id, reference: entry.reference });
    }
  });
  return [{ ...state, held }, confirm(state, messages)];
}

/** While the mailbox is being read, they may be in what was read; what is held is not sent again. */
function without(state: Live, ids: readonly string[]): Live {
  if (state.rest === 'reading') return state;
  return { ...state, held: holding(state, (own) => ids.forEach((id) => own.delete(id))) };
}

const confirm = ({ identity }: Live, messages: readonly Confirmation[]): readonly Effect[] =>
  messages.length === 0 ? [] : [{ kind: 'confirm', identity, messages }];

const leave = (state: Open): readonly Effect[] =>
  state.phase === 'new' ? [] : [{ kind: 'leave', identity: state.identity }];

function end(state: Open, close: Close, isTold = true): Step {
  const error: Effect = { kind: 'send', command: { cmd: 'error', service: 0, error: close } };
  return [{ phase: 'over' }, [...leave(state), ...(isTold ? [error] : []), { kind: 'close', ...close }]];
}
