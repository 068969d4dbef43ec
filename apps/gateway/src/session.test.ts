import type { Command } from '@pushfleet/own-protocol';
import { OVERHEAD_BYTES } from './data-commands';
import {
  CLOSES,
  NEW_SESSION,
  step,
  type Effect,
  type Identity,
  type MailboxMessage,
  type SessionEvent,
  type SessionState,
} from './session';

const identity: Identity = { app: 'app-1', installationId: 'device-1' };
const login: Command = { cmd: 'login', appId: identity.app, installationId: identity.installationId };
const frame = (command: Command): SessionEvent => ({ kind: 'frame', command });
const message = (id: string): MailboxMessage => ({ id, reference: `${id} 99`, text: '{}' });
const data = (...ids: string[]): Effect => ({
  kind: 'send',
  command: { cmd: 'data', service: 0, messages: ids.map((id) => ({ id, text: '{}' })) },
});
const confirm = (id: string): Effect => ({
  ...{ kind: 'confirm', identity },
  messages: [{ id, reference: `${id} 99` }],
});
const loggedin: Effect = { kind: 'send', command: { cmd: 'loggedin', service: 0 } };

/** The state after some events, and what the last of them asks for. */
function after(...events: readonly SessionEvent[]): { state: SessionState; effects: readonly Effect[] } {
  let [state, effects]: readonly [SessionState, readonly Effect[]] = [NEW_SESSION, []];
  for (const event of events) [state, effects] = step(state, event);
  return { state, effects };
}

const ROOM = { mostBytes: 1000 };
const joined = (...ids: string[]): SessionEvent => ({ kind: 'joined', messages: ids.map(message), ...ROOM });
const backlog = (...ids: string[]): SessionEvent => ({ kind: 'backlog', messages: ids.map(message), ...ROOM });
const stored = (id: string): SessionEvent => ({ kind: 'stored', message: message(id) });
const ack = (...ids: string[]): SessionEvent => frame({ cmd: 'ack', ids });
const live = [frame(login), joined()] as const;

describe('login', () => {
  test('takes the installation over, and is answered when that is done', () => {
    expect(after(frame(login)).effects).toEqual([{ kind: 'join', identity }]);
    expect(after(...live).effects).toEqual([loggedin]);
  });

  test('repeats the number of the last request', () => {
    const { effects } = after(frame({ ...login, i: 1 }), frame({ ...login, i: 2 }), joined());
    expect(effects).toEqual([{ kind: 'send', command: { cmd: 'loggedin', service: 0, i: 2 } }]);
  });

  test.each<readonly [string, Command]>([
    ['without an app', { cmd: 'login', installationId: 'x' }],
    ['without an installationId', { cmd: 'login', appId: 'x' }],
    ['with an empty installationId', { ...login, installationId: '' }],
    ['with an endless installationId', { ...login, installationId: 'x'.repeat(513) }],
  ])('%s ends the connection', (_, command) => {
    expect(after(frame(command))).toEqual({
      state: { phase: 'over' },
      effects: [
        { kind: 'send', command: { cmd: 'error', service: 0, error: CLOSES.invalidLogin } },
        { kind: 'close', ...CLOSES.invalidLogin },
      ],
    });
  });

  test('as somebody else on the same connection ends it', () => {
    const { effects } = after(...live, frame({ ...login, installationId: 'device-2' }));
    expect(effects).toContainEqual({ kind: 'close', ...CLOSES.invalidLogin });
    expect(effects).toContainEqual({ kind: 'leave', identity });
  });

  test('once more asks for everything that is not acknowledged', () => {
    const events = [frame(login), joined('a', 'b'), ack('a'), frame(login)] as const;
    expect(after(...events).effects).toEqual([loggedin, { kind: 'read', identity }]);
    expect(after(...events, backlog('a', 'b')).effects).toEqual([data('b'), confirm('a')]);
  });
});

describe('messages', () => {
  test('that waited follow the answer to the login', () => {
    expect(after(frame(login), joined('a', 'b')).effects).toEqual([loggedin, data('a', 'b')]);
  });

  test('that were stored during the login make the mailbox be read once more', () => {
    expect(after(frame(login), stored('a'), joined()).effects).toEqual([loggedin, { kind: 'read', identity }]);
  });

  test('are sent once on a connection, whoever tells of them', () => {
    expect(after(...live, stored('a')).effects).toEqual([data('a')]);
    expect(after(...live, stored('a'), stored('a')).effects).toEqual([]);
    expect(after(...live, stored('a'), backlog('a', 'b')).effects).toEqual([data('b')]);
  });

  test('that are acknowledged are confirmed once', () => {
    const events = [...live, stored('a'), stored('b')] as const;
    expect(after(...events, ack('a', 'a', 'unknown')).effects).toEqual([
      { kind: 'confirm', identity, messages: [{ id: 'a', reference: 'a 99' }] },
    ]);
    expect(after(...events, ack('a'), ack('a')).effects).toEqual([]);
  });

  test('that are acknowledged are not sent again by a look at the mailbox that came too early', () => {
    expect(after(...live, stored('a'), ack('a'), backlog('a')).effects).toEqual([confirm('a')]);
  });

  test('that left the mailbox are forgotten', () => {
    const events = [...live, stored('a'), ack('a'), { kind: 'confirmed', ids: ['a'] }] as const;
    expect(after(...events).state).toMatchObject({ held: new Map() });
    expect(after(...live, stored('a'), backlog()).state).toMatchObject({ held: new Map() });
  });

  test('for nobody are not sent', () => {
    expect(after(stored('a')).effects).toEqual([]);
    expect(after(ack('a')).effects).toEqual([]);
  });
});

describe('a mailbox that holds more than there is room for', () => {
  const room = { mostBytes: 2 * Buffer.byteLength('a{}') + 2 * OVERHEAD_BYTES };
  const left = (...ids: string[]): SessionEvent => ({ kind: 'backlog', messages: ids.map(message), ...room });
  const gone = (...ids: string[]): SessionEvent => ({ kind: 'confirmed', ids });
  const written: SessionEvent = { kind: 'written' };
  const first = [frame(login), { kind: 'joined', messages: ['a', 'b', 'c', 'd', 'e'].map(message), ...room }] as const;

  test('is sent as far as it fits, and is read on when that has left', () => {
    expect(after(...first).effects).toEqual([loggedin, data('a', 'b')]);
    expect(after(...first, written).effects).toEqual([{ kind: 'read-on', identity }]);
    expect(after(...first, written, written).effects).toEqual([]);
    const second = [...first, written, left('a', 'b', 'c', 'd', 'e')] as const;
    expect(after(...second).effects).toEqual([data('c', 'd')]);
    const third = [...second, written, left('a', 'b', 'c', 'd', 'e')] as const;
    expect(after(...third).effects).toEqual([data('e')]);
    expect(after(...third, written).effects).toEqual([]);
  });

  test('is not sent again as far as it is acknowledged while it is read', () => {
    const reading = [...first, ack('a'), written, gone('a')] as const;
    expect(after(...reading, left('a', 'b', 'c')).effects).toEqual([data('c'), confirm('a')]);
    const state = after(...reading, left('b', 'c')).state;
    expect(state.phase === 'live' && [...state.held.keys()]).toEqual(['b', 'c']);
  });

  test('holds up nothing that is new', () => {
    expect(after(...first, stored('f')).effects).toEqual([data('f')]);
  });

  test('gives one message, however large that is', () => {
    const tight: SessionEvent = { kind: 'joined', messages: ['a', 'b'].map(message), mostBytes: 1 };
    expect(after(frame(login), tight).effects).toEqual([loggedin, data('a')]);
  });
});

describe('other commands', () => {
  test('an echo is answered, with its number if it has one', () => {
    expect(after(frame({ cmd: 'echo' })).effects).toEqual([{ kind: 'send', command: { cmd: 'echo' } }]);
    expect(after(frame({ cmd: 'echo', i: 5 })).effects).toEqual([{ kind: 'send', command: { cmd: 'echo', i: 5 } }]);
  });

  test('a logout leaves the connection open for another login', () => {
    const { state, effects } = after(...live, frame({ cmd: 'logout', i: 2 }));
    expect(state).toEqual(NEW_SESSION);
    expect(effects).toEqual([
      { kind: 'leave', identity },
      { kind: 'send', command: { cmd: 'loggedout', i: 2 } },
    ]);
  });

  test('the logout of a live query is answered and leaves the push login alone', () => {
    const { state, effects } = after(
      ...live,
      frame({ cmd: 'logout', installationId: 'subscription', service: 1, i: 6 }),
    );
    expect(state).toEqual(after(...live).state);
    expect(effects).toEqual([{ kind: 'send', command: { cmd: 'loggedout', service: 1, i: 6 } }]);
  });

  test.each<Command>([
    { cmd: 'session', i: 3, peerId: 'tom' },
    { cmd: 'other', i: 4, peerId: 'jerry', service: 0 },
  ])('a chat command is refused by the name of its client', (command) => {
    const { i, peerId, service } = command;
    const [effect] = after(...live, frame(command)).effects;
    expect(effect).toEqual({
      kind: 'send',
      command: { cmd: 'error', i, peerId, ...(service === undefined ? {} : { service }), error: expect.any(Object) },
    });
  });

  test.each([
    ['before the login', []],
    ['after it', live],
  ])('a live query logs in %s, and changes nothing else', (_, events) => {
    const query: Command = { cmd: 'login', installationId: 'subscription', service: 1, i: -5 };
    const { state, effects } = after(...events, frame(query));
    expect(effects).toEqual([{ kind: 'send', command: { cmd: 'loggedin', service: 1, i: -5 } }]);
    expect(state).toEqual(after(...events).state);
  });

  test('a login to a service that nobody knows is refused', () => {
    expect(after(frame({ ...login, service: 7, i: 1 })).effects).toMatchObject([
      { command: { cmd: 'error', service: 7, i: 1 } },
    ]);
  });

  test('an unknown request without a number is passed over: its answer would end the connection', () => {
    expect(after(...live, frame({ cmd: 'other' })).effects).toEqual([]);
    expect(after(...live, frame({ cmd: 'data' })).effects).toEqual([]);
  });

  test('garbage is passed over once the client is known', () => {
    expect(after(...live, { kind: 'malformed' }).effects).toEqual([]);
    expect(after({ kind: 'malformed' }).effects).toContainEqual({ kind: 'close', ...CLOSES.invalidLogin });
  });
});

test('after its end a session answers nothing', () => {
  const end: SessionEvent = { kind: 'end', close: CLOSES.idle, isTold: false };
  expect(after(...live, end).effects).toEqual([
    { kind: 'leave', identity },
    { kind: 'close', ...CLOSES.idle },
  ]);
  for (const event of [...live, stored('a'), backlog('a'), ack('a'), end])
    expect(after(end, event).effects).toEqual([]);
});

describe('what a device does not acknowledge', () => {
  const many = Array.from({ length: 1001 }, (_, n) => `m${n}`);
  const unanswered = [...live, ...many.map(stored)];

  test('is held as long as a mailbox may be, the newest of it', () => {
    const { state } = after(...unanswered);
    expect(state).toMatchObject({ phase: 'live' });
    expect(state.phase === 'live' && [...state.held.keys()]).toEqual(many.slice(1));
    expect(after(...unanswered, ack('m0')).effects).toEqual([]);
    expect(after(...unanswered, ack('m1')).effects).toMatchObject([{ kind: 'confirm', messages: [{ id: 'm1' }] }]);
  });
});

test('what is still in the mailbox although it was acknowledged is taken out again, and not sent again', () => {
  const { effects } = after(...live, stored('a'), stored('b'), ack('a'), backlog('a', 'b', 'c'));
  expect(effects).toEqual([data('c'), confirm('a')]);
});
