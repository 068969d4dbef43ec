import { bearsReplaceId } from '@pushfleet/channel-kit/testing';
import { channelNames, channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { expectBalanced, Fleet, type DemoApp, type WireRecord } from './fleet';
import { RealtimeDevice } from './testing/realtime-client';

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp());
  await fleet.run('gateway');
});

afterAll(() => fleet.stop());

interface Pushed {
  readonly objectId?: string;
  readonly pushed: number;
  readonly muted: number;
  readonly unreachable: number;
  readonly withoutText: number;
}

const NONE: Pushed = { pushed: 0, muted: 0, unreachable: 0, withoutText: 0 };

/** As a chat server does. */
async function asChatServer<T>(
  line: readonly [string, string],
  { of = app, body }: { of?: DemoApp; body?: object } = {},
) {
  const answer = await fetch(`${fleet.url('ingress')}/1.2/rtm${line[1]}`, {
    method: line[0],
    headers: { 'x-lc-id': of.id, 'x-lc-key': `${of.masterKey},master`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${line.join(' ')}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const send = (
  conversation: string,
  clients: readonly string[],
  { of = app, ...more }: { of?: DemoApp } & Readonly<Record<string, unknown>> = {},
) =>
  asChatServer<Pushed>(['POST', `/conversations/${conversation}/offline-messages`], {
    of,
    body: { from_client: 'Tom', offline_clients: clients, message: 'm', push_data: { alert: 'Tom: m', k: 1 }, ...more },
  });

/** A phone of a user, with the address `address-of-<its name>`. */
async function aPhone(name: string, client: string, { of = app, vendor }: { of?: DemoApp; vendor: string }) {
  const body = { deviceType: 'android', installationId: name, vendor, registrationId: `address-of-${name}` };
  await fleet.call(of, ['POST', '/installations'], body);
  await asChatServer(['PUT', `/clients/${client}/installations/${name}`], { of });
}

async function recordOf({ objectId = '' }: Pushed, of = app): Promise<WireRecord> {
  const record = await fleet.done(of, objectId);
  expectBalanced(record);
  return record;
}

interface Called {
  readonly pushId: string;
  readonly registrationIds: readonly string[];
  readonly message: object;
}

/** What a vendor was asked for in the name of a push: the addresses, and the messages. */
async function calledFor(channel: string, { objectId }: Pushed) {
  const { results } = await fleet.simulator<{ results: readonly Called[] }>(
    'GET',
    `/messages?channel=${channel}&limit=100`,
  );
  const calls = results.filter(({ pushId }) => pushId === objectId);
  return {
    addresses: calls.flatMap(({ registrationIds }) => registrationIds).sort(),
    messages: calls.map(({ message }) => message),
  };
}

/** Whether a vendor got the id under which a push of this conversation, or of none, takes the place of an earlier one. */
async function bearsPlace(channel: string, pushed: Pushed, conversation?: string): Promise<boolean> {
  await recordOf(pushed);
  const { messages } = await calledFor(channel, pushed);
  const message = conversation === undefined ? {} : { group: conversation };
  return bearsReplaceId(JSON.stringify(messages[0]), { pushId: pushed.objectId ?? '', message });
}

const mute = (conversation: string, client: string) =>
  asChatServer(['POST', `/conversations/${conversation}/mutes`], { body: { client_ids: [client] } });

describe.each(channelNames)('on %s', (channel) => {
  const client = `user-${channel}`;
  const { vendor } = channels[channel];

  beforeAll(async () => {
    for (const name of [`${channel}-1`, `${channel}-2`]) await aPhone(name, client, { vendor });
  });

  test('both phones of a user get an offline message, and its sender gets none', async () => {
    const pushed = await send('lobby', [client], { from_client: 'Tom' });
    expect(pushed).toMatchObject({ ...NONE, pushed: 1 });
    expect((await recordOf(pushed)).channels).toMatchObject({ [channel]: { matched: 2, accepted: 2 } });
    const { addresses, messages } = await calledFor(channel, pushed);
    expect(addresses).toEqual([`address-of-${channel}-1`, `address-of-${channel}-2`]);
    expect(JSON.stringify(messages)).toContain('Tom: m');
    expect(await send('lobby', [client], { from_client: client })).toEqual(NONE);
  });

  test('a user who has muted the conversation gets it with force alone, and without text nobody does', async () => {
    const conversation = `quiet-${channel}`;
    await mute(conversation, client);
    expect(await send(conversation, [client], { mention_all: true })).toEqual({ ...NONE, muted: 1 });
    const forced = await send(conversation, [client], { mention_client_ids: [client], force: true });
    expect((await recordOf(forced)).successes).toBe(2);
    expect(await send('lobby', [client], { push_data: null })).toEqual({ ...NONE, withoutText: 1 });
  });

  test('a later message takes the place of the earlier of its conversation, where the vendor can', async () => {
    const where = { installationId: `${channel}-1` };
    const { objectId } = await fleet.push(app, { data: { alert: 'A' }, where });
    const can = await bearsPlace(channel, { ...NONE, objectId });
    for (const conversation of ['a', 'a', 'b'].map((name) => `${name}-${channel}`))
      expect(await bearsPlace(channel, await send(conversation, [client]), conversation)).toBe(can);
  });
});

describe('on the own channel', () => {
  test('a device gets what was pushed while it was away, unless its user has muted the conversation', async () => {
    await aPhone('own-1', 'user-own', { vendor: 'lc' });
    const pushed = await send('lobby', ['user-own']);
    expect((await recordOf(pushed)).channels).toMatchObject({ [OWN_CHANNEL]: { matched: 1, accepted: 1 } });
    await mute('quiet-own', 'user-own');
    expect(await send('quiet-own', ['user-own'])).toEqual({ ...NONE, muted: 1 });
    const forced = await send('quiet-own', ['user-own'], { force: true });
    await recordOf(forced);
    const device = await RealtimeDevice.connect(fleet, app, 'own-1');
    try {
      await device.login();
      expect(await device.received(forced.objectId ?? '')).toMatchObject({ alert: 'Tom: m', k: 1 });
      expect(device.ids).toEqual([pushed.objectId, forced.objectId]);
    } finally {
      device.close();
    }
  });

  test('it is the road to phones of every vendor where hybrid push is off', async () => {
    const plain = await fleet.createApp({ hybrid: false });
    const users = channelNames.map((channel) => `user-${channel}`);
    for (const [i, channel] of channelNames.entries())
      await aPhone(`plain-${channel}`, users[i] ?? '', { of: plain, vendor: channels[channel].vendor });
    const pushed = await send('lobby', users, { of: plain });
    expect(pushed).toMatchObject({ ...NONE, pushed: users.length });
    const { channels: books } = await recordOf(pushed, plain);
    expect(Object.keys(books)).toEqual([OWN_CHANNEL]);
    expect(books[OWN_CHANNEL]).toMatchObject({ matched: users.length, accepted: users.length });
    for (const channel of channelNames) expect((await calledFor(channel, pushed)).addresses).toEqual([]);
    const device = await RealtimeDevice.connect(fleet, plain, 'plain-hms');
    try {
      await device.login();
      expect(await device.received(pushed.objectId ?? '')).toMatchObject({ alert: 'Tom: m' });
    } finally {
      device.close();
    }
  });
});

test('one message to users of all vendors and the own channel reaches each on the road of its phones', async () => {
  const users = [...channelNames.map((channel) => `user-${channel}`), 'user-own'];
  const pushed = await send('everybody', [...users, 'nobody', 'Tom']);
  expect(pushed).toMatchObject({ ...NONE, pushed: users.length, unreachable: 1 });
  const { channels: books } = await recordOf(pushed);
  expect(Object.fromEntries(Object.entries(books).map(([name, { accepted }]) => [name, accepted]))).toEqual({
    ...Object.fromEntries(channelNames.map((name) => [name, 2])),
    [OWN_CHANNEL]: 1,
  });
});
