import { channelNames, channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { type JsonObject, type PushRecord } from '@pushfleet/domain';
import { anApp, anInstallation, countCommands, redisHarness, unique, until } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
const conversation = (): string => unique('conv');
const [TOM, JERRY, SPIKE] = ['Tom', 'Jerry', 'Spike'];
const DAY_MS = 86_400_000;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

async function aDevice(more = {}, by = ingress) {
  const installationId = unique('device');
  const body = anInstallation({ installationId, vendor: undefined, registrationId: undefined, ...more });
  const { objectId = '' } = fieldsOf(await by.call('POST', '/1.1/installations', { body }));
  return { installationId, objectId };
}

const bindingOf = (client: string, id: string): string => `/1.2/rtm/clients/${client}/installations/${id}`;
const bind = (client: string, id: string, by = ingress) => by.asMaster('PUT', bindingOf(client, id));

const unbind = (client: string, id: string) => ingress.asMaster('DELETE', bindingOf(client, id));
const NOTHING_ENDED = { warnings: [{ path: 'installationId', message: expect.stringMatching(/nothing was ended$/) }] };

async function aClient(by = ingress): Promise<string> {
  const client = unique('client');
  await bind(client, (await aDevice({}, by)).installationId, by);
  return client;
}

const message = (more = {}) => ({
  ...{ from_client: TOM, offline_clients: [JERRY], message: 'Dinner?', push_data: { alert: 'Tom: Dinner?' } },
  ...more,
});
const send = (more = {}, to = conversation(), by = ingress) =>
  by.asMaster('POST', `/1.2/rtm/conversations/${to}/offline-messages`, { body: message(more) });
const mutesOf = (id: string): string => `/1.2/rtm/conversations/${id}/mutes`;
const readRecord = async (id = '', by = ingress) => (await by.asMaster('GET', `/1.1/notifications/${id}`)).body;
const NOTHING = { pushed: 0, muted: 0, unreachable: 0, withoutText: 0 };

describe('mutes', () => {
  it('are added, listed and removed, by conversation', async () => {
    const id = conversation();
    const reply = await ingress.asMaster('POST', mutesOf(id), { body: { client_ids: [TOM, JERRY, TOM] } });
    expect(reply).toMatchObject({ status: 200, body: { objectId: id, updatedAt: expect.any(String) } });
    const list = async (of: string) => (await ingress.asMaster('GET', mutesOf(of))).body;
    expect(await list(id)).toEqual({ result: [JERRY, TOM] });
    expect(await list(conversation())).toEqual({ result: [] });
    const gone = await ingress.asMaster('DELETE', mutesOf(id), { body: { client_ids: [TOM, SPIKE] } });
    expect(gone).toMatchObject({ status: 200, body: { objectId: id, updatedAt: expect.any(String) } });
    expect(await list(id)).toEqual({ result: [JERRY] });
  });

  it('are bounded for each conversation, and a call beyond the bound adds none', async () => {
    const id = conversation();
    const some = Array.from({ length: 500 }, (_, i) => `c${i}`);
    await ingress.asMaster('POST', mutesOf(id), { body: { client_ids: some } });
    const beyond = await ingress.asMaster('POST', mutesOf(id), { body: { client_ids: [TOM] } });
    expect(beyond).toMatchObject({ status: 400, body: errorBody(154, /500 client ids/) });
    const again = await ingress.asMaster('POST', mutesOf(id), { body: { client_ids: some.slice(0, 9) } });
    expect(again.status).toBe(200);
    const long = await ingress.asMaster('POST', mutesOf(conversation()), { body: { client_ids: [...some, TOM] } });
    expect(long).toMatchObject({ status: 400, body: errorBody(154, /^client_ids: at most 500/) });
  });

  it('and bindings are refused by the name of the limit when the app has as much as it may, and of no other app', async () => {
    const app = anApp();
    await ingress.store.apps.create({ ...app, limits: { ...app.limits, installationsBytes: 3000 } });
    const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master` };
    const mute = (...client_ids: readonly string[]) =>
      ingress.call('POST', mutesOf('full'), { headers, body: { client_ids } });
    const bindOne = (client: string) => ingress.call('PUT', bindingOf(client, 'x'.repeat(300)), { headers });
    expect((await bindOne(TOM)).status).toBe(200);
    expect((await mute(...Array.from({ length: 12 }, (_, i) => `c${i}`))).status).toBe(200);
    const full = {
      status: 429,
      body: errorBody(429, /^limits\.installationsBytes: .* 3000 bytes of installations, mutes/),
    };
    for (const reply of [await mute(TOM), await bindOne(JERRY)]) {
      expect(reply).toMatchObject(full);
      expect(reply.headers.get('retry-after')).toBe('60');
    }
    expect((await mute('c1')).status).toBe(200);
    expect((await bindOne(TOM)).status).toBe(200);
    expect(
      (await ingress.call('DELETE', mutesOf('full'), { headers, body: { client_ids: ['c1', 'c2'] } })).status,
    ).toBe(200);
    expect((await mute(TOM)).status).toBe(200);
    expect((await bind(TOM, 'x'.repeat(300))).status).toBe(200);
  });

  it('do not exist for a temporary conversation', async () => {
    const reply = await ingress.asMaster('POST', mutesOf('_tmp:abc'), { body: { client_ids: [TOM] } });
    expect(reply).toMatchObject({ status: 400, body: errorBody(111, /temporary conversation/) });
    expect((await ingress.asMaster('GET', mutesOf('_tmp:abc'))).body).toEqual({ result: [] });
  });

  it('keep nobody from a push once they are removed', async () => {
    const [id, client] = [conversation(), await aClient()];
    const body = { client_ids: [client] };
    await ingress.asMaster('POST', mutesOf(id), { body });
    expect((await send({ offline_clients: [client] }, id)).body).toEqual({ ...NOTHING, muted: 1 });
    await ingress.asMaster('DELETE', mutesOf(id), { body });
    expect((await send({ offline_clients: [client] }, id)).body).toMatchObject({ ...NOTHING, pushed: 1 });
  });

  it.each([
    [{}, 113, /^client_ids: is required/],
    [{ client_ids: TOM }, 111, /^client_ids: must be an array/],
    [{ client_ids: [] }, 111, /^client_ids: names nobody/],
    [{ client_ids: ['1st'] }, 4103, /^client_ids\.0: INVALID_LOGIN: "1st" is not a client id/],
  ])('of %j are refused', async (body, code, words) => {
    const reply = await ingress.asMaster('POST', mutesOf(conversation()), { body });
    expect(reply).toMatchObject({ status: 400, body: errorBody(code, words) });
  });
});

describe('bindings', () => {
  it('lead to the installation, by either of its ids, until they are removed', async () => {
    const client = unique('client');
    const { installationId, objectId } = await aDevice();
    expect((await bind(client, objectId)).body).toMatchObject({ objectId: client, installationId });
    expect((await send({ offline_clients: [client] })).body).toMatchObject({ ...NOTHING, pushed: 1 });
    await unbind(client, installationId);
    expect((await send({ offline_clients: [client] })).body).toEqual({ ...NOTHING, unreachable: 1 });
  });

  it.each(['installationId', 'objectId'] as const)(
    'end by the %s they were made with when the installation is gone, and its next save is for nobody',
    async (by) => {
      const client = unique('client');
      const device = await aDevice();
      const { installationId, objectId } = device;
      await bind(client, objectId);
      await ingress.asMaster('DELETE', `/1.1/installations/${objectId}`);
      const ended = { updatedAt: expect.any(String), objectId: client, installationId };
      expect((await unbind(client, device[by])).body).toEqual(ended);
      await aDevice({ installationId });
      expect((await send({ offline_clients: [client] })).body).toEqual({ ...NOTHING, unreachable: 1 });
      expect(await unbind(client, device[by])).toMatchObject({ status: 200, body: NOTHING_ENDED });
    },
  );

  it('of an installation without installationId are refused, and nobody takes its place with its objectId', async () => {
    const client = unique('client');
    const { objectId } = await aDevice({ installationId: undefined, deviceToken: unique('token'), deviceType: 'ios' });
    const body = errorBody(113, new RegExp(`^installationId: the installation ${objectId} has none`));
    expect(await bind(client, objectId)).toMatchObject({ status: 400, body });
    await aDevice({ installationId: objectId });
    expect(await bind(client, objectId)).toMatchObject({ status: 400, body });
    expect((await send({ offline_clients: [client] })).body).toEqual({ ...NOTHING, unreachable: 1 });
  });

  it('by objectId lead to that installation whatever another device calls itself', async () => {
    const client = unique('client');
    const { installationId, objectId } = await aDevice();
    await aDevice({ installationId: objectId });
    expect((await bind(client, objectId)).body).toMatchObject({ installationId });
  });

  it('may come before the first save of the device, with a warning', async () => {
    const [client, installationId] = [unique('client'), unique('device')];
    expect((await bind(client, installationId)).body).toMatchObject({ warnings: [{ path: 'installationId' }] });
    await aDevice({ installationId });
    expect((await send({ offline_clients: [client] })).body).toMatchObject({ ...NOTHING, pushed: 1 });
  });

  it('are no more than ten for a client: the oldest makes room', async () => {
    const client = unique('client');
    const devices = [];
    for (let i = 0; i < 11; i += 1) devices.push(await aDevice());
    for (const { installationId } of devices) await bind(client, installationId);
    const { objectId } = fieldsOf(await send({ offline_clients: [client] }));
    const where = {
      objectId: {
        $in: devices
          .slice(1)
          .reverse()
          .map((device) => device.objectId),
      },
    };
    expect(await readRecord(objectId)).toMatchObject({ where });
  });

  it.each([
    ['1st', 'i', errorBody(4103, /^clientId: INVALID_LOGIN/)],
    ['c', 'a%20b', errorBody(111, /^installationId/)],
    ['c', 'x'.repeat(513), errorBody(111, /^installationId/)],
  ])('of what cannot be one are refused: %#', async (client, id, body) => {
    expect(await bind(client, id)).toMatchObject({ status: 400, body });
  });

  it('do not take an installationId that a device saved if the id is none that can be bound', async () => {
    const [client, mine] = [unique('client'), await aDevice()];
    await bind(client, mine.installationId);
    const ids = [`a ${unique('victim')} b`, 'x'.repeat(513), 'a\u0000b'];
    for (const installationId of ids) {
      const { objectId } = await aDevice({ installationId });
      expect(await bind(client, objectId)).toMatchObject({
        ...{ status: 400, body: errorBody(111, /^installationId: must have 1 to 512 bytes without white space/) },
      });
      expect((await unbind(client, objectId)).body).toMatchObject(NOTHING_ENDED);
    }
    const bound = await ingress.store.messaging.bindings.of(ingress.app.id, [client]);
    expect([...bound.values()]).toEqual([[mine.installationId]]);
  });

  it('stand beside channels: nobody with the app can subscribe to the messages of somebody else', async () => {
    const client = unique('client');
    await aDevice({ channels: [client] });
    expect((await send({ offline_clients: [client] })).body).toEqual({ ...NOTHING, unreachable: 1 });
  });
});

describe('an offline message', () => {
  it('is pushed to all but the sender, and kept as one of the messaging service for ten minutes', async () => {
    const [sender, receiver] = [await aClient(), await aClient()];
    const before = Date.now();
    const reply = await send({ from_client: sender, offline_clients: [sender, receiver, receiver] });
    expect(reply).toMatchObject({ status: 200, body: { ...NOTHING, pushed: 1 } });
    const { objectId = '' } = fieldsOf(reply);
    const record = (await readRecord(objectId)) as { expiresAt: string };
    expect(record).toMatchObject({ 'from-service': 'rtm', msg: { alert: 'Tom: Dinner?' }, prod: 'prod' });
    expect(Date.parse(record.expiresAt) - before).toBeGreaterThanOrEqual(7 * DAY_MS);
    expect(Date.parse(record.expiresAt) - Date.now()).toBeLessThanOrEqual(7 * DAY_MS);
    const listed = async (query = '') => (await ingress.asMaster('GET', `/1.1/notifications${query}`)).body;
    const mine = expect.arrayContaining([expect.objectContaining({ objectId })]);
    expect(await listed('?from-service=rtm')).toEqual({ results: mine });
    expect(await listed()).toEqual({ results: expect.not.arrayContaining([expect.objectContaining({ objectId })]) });
    const wrong = await ingress.asMaster('GET', '/1.1/notifications?from-service=sms');
    expect(wrong).toMatchObject({ status: 400, body: errorBody(102, /^from-service/) });
  });

  it('leaves a record for as long as the setting says', async () => {
    const brief = await openIngress(harness, { env: { OFFLINE_MESSAGE_RETENTION_MS: '1000' } });
    const pushBy = async (by: Ingress) =>
      fieldsOf(await send({ offline_clients: [await aClient(by)], req_id: 'once' }, 'c', by))['objectId'] ?? '';
    const [kept, gone] = [await pushBy(ingress), await pushBy(brief)];
    const { ledger, pushes } = ingress.store;
    for (const pushId of [kept, gone]) await ledger.plan({ pushId, lanes: [], pages: [], books: [], now: Date.now() });
    await until(async () => (await pushes.read(gone)) === undefined);
    expect(await pushes.read(kept)).toMatchObject({ status: 'done', service: 'rtm' });
  });

  it('of a temporary conversation is pushed like any other', async () => {
    const reply = await send({ offline_clients: [await aClient()] }, '_tmp:abc');
    expect(reply.body).toMatchObject({ ...NOTHING, pushed: 1 });
  });

  it('may have the options of a message that say nothing of its push', async () => {
    const options = { r: true, priority: 1, no_sync: true };
    const { objectId = '' } = fieldsOf(await send({ offline_clients: [await aClient()], ...options }));
    const content = { data: { alert: 'Tom: Dinner?' }, sections: {}, group: expect.any(String) };
    expect((await ingress.store.pushes.toSend(objectId))?.content).toEqual(content);
  });

  it('has sections of platforms, in which nothing is said to the service', async () => {
    const own = { ios: { alert: 'i', _profile: 'dev' }, android: { alert: 'own' } };
    const push_data = { alert: 'a', ...own, hms: { category: 'IM' } };
    const { objectId = '' } = fieldsOf(await send({ push_data, offline_clients: [await aClient()] }));
    expect(await readRecord(objectId)).toMatchObject({ prod: 'prod', msg: { alert: 'a', ...own } });
    const sections = { ...own, hms: { message: { android: { category: 'IM' } } } };
    expect((await ingress.store.pushes.toSend(objectId))?.content).toMatchObject({ data: { alert: 'a' }, sections });
  });

  it('reaches the muted with force alone; a mention changes nothing', async () => {
    const [id, muted] = [conversation(), await aClient()];
    const mention = { mention_all: true, mention_client_ids: [muted] };
    await ingress.asMaster('POST', mutesOf(id), { body: { client_ids: [muted] } });
    const offline_clients = [muted];
    expect((await send({ offline_clients }, id)).body).toEqual({ ...NOTHING, muted: 1 });
    expect((await send({ offline_clients, ...mention }, id)).body).toEqual({ ...NOTHING, muted: 1 });
    expect((await send({ offline_clients, ...mention, force: true }, id)).body).toMatchObject({ pushed: 1, muted: 0 });
    expect((await send({ offline_clients })).body).toMatchObject({ pushed: 1, muted: 0 });
  });

  it('without text is not pushed, and the answer says so', async () => {
    const receiver = await aClient();
    const reply = await send({ push_data: undefined, offline_clients: [receiver] });
    expect(reply.body).toEqual({ ...NOTHING, withoutText: 1 });
    expect((await send({ push_data: null, offline_clients: [] })).body).toEqual(NOTHING);
  });

  it('without push_data says what the app says, with its variables filled in once', async () => {
    const other = await openIngress(harness, { now: () => 1_790_000_000_500 });
    const offlinePush = { alert: '${fromClientId} in ${convId}', at: '${timestamp}', badge: 'Increment' };
    await other.store.apps.update(other.app.id, (app) => ({ ...app, offlinePush }));
    const offline_clients = [await aClient(other)];
    const reply = await send({ push_data: undefined, offline_clients }, 'c1', other);
    const msg = { alert: 'Tom in c1', at: '1790000000', badge: 'Increment' };
    expect(await readRecord(fieldsOf(reply)['objectId'], other)).toMatchObject({ msg });
    const own = await send({ offline_clients }, 'c1', other);
    expect(await readRecord(fieldsOf(own)['objectId'], other)).toMatchObject({ msg: { alert: 'Tom: Dinner?' } });
  });

  it('obeys what push_data says to the service, and delivers none of it', async () => {
    const data = { alert: 'a', _profile: 'dev', _apns_team_id: 'T', _notificationChannel: 'chat', own: 1 };
    for (const push_data of [data, JSON.stringify(data)]) {
      const { objectId } = fieldsOf(await send({ push_data, offline_clients: [await aClient()] }));
      expect(await readRecord(objectId)).toMatchObject({ prod: 'dev', msg: { alert: 'a', own: 1 } });
      expect((await ingress.store.pushes.toSend(objectId ?? ''))?.content).toEqual({
        ...{ data: { alert: 'a', own: 1 }, sections: {}, notificationChannel: 'chat' },
        group: expect.any(String),
      });
    }
  });

  it('with a req_id is pushed once, and repeats of it, with another body as well, get the first answer', async () => {
    const [id, receiver, later] = [conversation(), await aClient(), await aClient()];
    const req_id = unique('').slice(0, 16);
    const ask = async (...offline_clients: string[]) => (await send({ offline_clients, req_id }, id)).body;
    const [first, atOnce] = await Promise.all([ask(receiver), ask(receiver)]);
    expect(first).toEqual({ ...NOTHING, objectId: expect.any(String), pushed: 1 });
    expect(atOnce).toEqual(first);
    expect(await ask(receiver, later)).toEqual(first);
    await ingress.asMaster('POST', mutesOf(id), { body: { client_ids: [receiver] } });
    expect(await ask(receiver)).toEqual(first);
  });

  it('with a req_id that was pushed to nobody is not pushed when it is repeated', async () => {
    const [receiver, req_id] = [unique('client'), unique('').slice(0, 16)];
    const ask = async () => (await send({ offline_clients: [receiver], req_id })).body;
    expect(await ask()).toEqual({ ...NOTHING, unreachable: 1 });
    await bind(receiver, (await aDevice()).installationId);
    expect(await ask()).toEqual({ ...NOTHING, unreachable: 1 });
  });

  it('is one of a batch as well, each with its own rights and answer', async () => {
    const offline_clients = [await aClient()];
    const path = '/1.2/rtm/conversations/c/offline-messages';
    const requests = [message({ offline_clients }), message({ from_client: '7' })].map((body) => ({
      method: 'POST',
      path,
      body,
    }));
    const reply = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
    expect(reply.body).toMatchObject([{ success: { pushed: 1 } }, { error: errorBody(4103, /^from_client/) }]);
  });

  it('to five hundred is resolved in reads of shards, not of receivers', async () => {
    const clients = Array.from({ length: 500 }, (_, i) => unique(`c${i}x`));
    const { bindings } = ingress.store.messaging;
    const save = async (client: string) =>
      bindings.bind(ingress.app.id, { client, installationId: (await aDevice()).installationId });
    await Promise.all(clients.slice(0, 50).map(save));
    const commands = await countCommands(await harness.open(), harness.namespace);
    let reply: unknown;
    const sent = await commands.during(async () => (reply = (await send({ offline_clients: clients })).body));
    commands.close();
    expect(reply).toMatchObject({ pushed: 50, unreachable: 450 });
    // At most one for each shard of the bindings, and one each of the look-ups and records of fifty devices.
    expect(sent.length).toBeLessThanOrEqual(256 + 50 + 50 + 20);
  });

  it.each([
    [{ from_client: undefined }, 113, /^from_client: is required/],
    [{ from_client: '1st' }, 4103, /^from_client: INVALID_LOGIN/],
    [{ offline_clients: [JERRY, 'a b'] }, 4103, /^offline_clients\.1: INVALID_LOGIN: "a b"/],
    [{ offline_clients: ['c'.repeat(65)] }, 4103, /^offline_clients\.0: INVALID_LOGIN/],
    [{ offline_clients: Array.from({ length: 501 }, (_, i) => `c${i}`) }, 154, /^offline_clients: at most 500/],
    [{ message: undefined }, 113, /^message: is required/],
    [{ message: 'm'.repeat(5121), push_data: undefined }, 154, /^message: .*5120 bytes/],
    [{ message: 'm'.repeat(5000), push_data: { alert: 'a'.repeat(120) } }, 154, /^message: .*5120 bytes/],
    [{ mention_client_ids: Array.from({ length: 21 }, (_, i) => `c${i}`) }, 154, /^mention_client_ids: at most 20/],
    [{ mention_client_ids: ['?'] }, 4103, /^mention_client_ids\.0/],
    [{ push_data: 'no JSON' }, 111, /^push_data: is text that is not JSON/],
    [{ push_data: '7' }, 111, /^push_data: must be an object/],
    [{ push_data: '['.repeat(99) }, 111, /^push_data: nested too deeply/],
    [{ push_data: { own: 1 } }, 113, /^push_data: needs alert/],
    [{ push_data: { alert: 7 } }, 111, /^push_data\.alert/],
    [{ push_data: { alert: 'a', badge: 'increment' } }, 111, /^push_data\.badge/],
    [{ push_data: { alert: 'a', hms: { topic: 't' } } }, 111, /^push_data\.hms\.topic/],
    [{ push_data: { alert: 'a', _profile: 'test' } }, 111, /^push_data\._profile/],
    [{ force: 'yes' }, 111, /^force: must be a boolean/],
    [{ req_id: 'a-b' }, 111, /^req_id/],
  ])('is refused with its place when it is wrong, and nothing is pushed: %#', async (more, code, words) => {
    const list = '/1.1/notifications?from-service=rtm&limit=1000';
    const before = (await ingress.asMaster('GET', list)).body;
    expect(await send(more)).toMatchObject({ status: 400, body: errorBody(code, words) });
    expect((await ingress.asMaster('GET', list)).body).toEqual(before);
  });

  it('of a conversation that none can be is refused', async () => {
    expect(await send({}, 'a%2Fb')).toMatchObject({ status: 400, body: errorBody(111, /^conversation/) });
  });
});

describe('an app with hybrid push', () => {
  let hybrid: Ingress;
  const isOn = (on: boolean) => hybrid.store.apps.update(hybrid.app.id, (app) => ({ ...app, hybrid: on }));

  beforeAll(async () => {
    hybrid = await openIngress(harness);
    await isOn(true);
    for (const channel of channelNames)
      await hybrid.store.profiles.put(
        { app: hybrid.app.id, channel, profile: '_default' },
        { value: simulatorProfiles[channel], receiptKey: 'k' },
      );
  });

  async function aPhone(client: string, more: JsonObject) {
    const { installationId } = await aDevice({ registrationId: unique('reg'), ...more }, hybrid);
    await bind(client, installationId, hybrid);
  }
  const sendTo = (clients: readonly string[]) => send({ offline_clients: clients }, conversation(), hybrid);
  /** The channels of the push, and how many devices each of them has. */
  async function channelsOf(reply: Awaited<ReturnType<typeof send>>): Promise<Record<string, number>> {
    const { channels } = (await readRecord(fieldsOf(reply)['objectId'], hybrid)) as Pick<PushRecord, 'channels'>;
    return Object.fromEntries(Object.entries(channels).map(([name, { expected }]) => [name, expected]));
  }

  const ROADS = [...channelNames.map((name) => [name, channels[name].vendor] as const), ['own', 'lc'] as const];

  it.each(ROADS)(
    'pushes on %s: to both phones of a user, unless the conversation is muted or forced',
    async (channel, vendor) => {
      const client = unique('client');
      for (let phones = 0; phones < 2; phones += 1) await aPhone(client, { vendor });
      const both = await sendTo([client, TOM]);
      expect(both.body).toMatchObject({ ...NOTHING, pushed: 1 });
      expect(await channelsOf(both)).toEqual({ [channel]: 2 });
      const jobs = await hybrid.store.pushes.withPage(fieldsOf(both)['objectId'] ?? '', 1);
      expect(jobs?.page).toMatchObject({ channel, direct: true });
      const id = conversation();
      await hybrid.asMaster('POST', mutesOf(id), { body: { client_ids: [client] } });
      const quiet = { offline_clients: [client], mention_all: true };
      expect((await send(quiet, id, hybrid)).body).toEqual({ ...NOTHING, muted: 1 });
      expect((await send({ ...quiet, force: true }, id, hybrid)).body).toMatchObject({ ...NOTHING, pushed: 1 });
    },
  );

  it('goes to the own channel for every vendor once hybrid is off', async () => {
    const clients = channelNames.map((name) => unique(name));
    for (const [i, name] of channelNames.entries()) await aPhone(clients[i] ?? '', { vendor: channels[name].vendor });
    await isOn(false);
    // A setting is known to a process within a second.
    const reply = await until(async () => {
      const sent = await sendTo(clients);
      const counts = await channelsOf(sent);
      if (!('own' in counts)) throw new Error(JSON.stringify(counts));
      return sent;
    });
    await isOn(true);
    expect(reply.body).toMatchObject({ ...NOTHING, pushed: clients.length });
    expect(await channelsOf(reply)).toEqual({ own: clients.length });
  });

  it.each([
    ['an iPhone, which has no channel here', { deviceType: 'ios', vendor: undefined }],
    ['a vendor that nobody knows', { vendor: 'nokia' }],
    ['a profile that does not exist', { vendor: 'HMS', deviceProfile: 'other' }],
    ['a phone that never registered', { vendor: 'HMS', registrationId: undefined }],
  ])('does not reach %s, and pushes to the others all the same', async (_, phone) => {
    await until(async () => (await hybrid.store.apps.settings(hybrid.app.id))?.hybrid === true);
    const [alone, well] = [unique('client'), unique('client')];
    await aPhone(alone, phone as JsonObject);
    await aPhone(well, { vendor: 'HMS' });
    expect((await sendTo([alone])).body).toEqual({ ...NOTHING, unreachable: 1 });
    const reply = await sendTo([alone, well]);
    expect(reply.body).toMatchObject({ ...NOTHING, pushed: 1, unreachable: 1 });
    // A dispatcher plans it, and its record tells why a phone gets nothing.
    const push = await hybrid.store.pushes.toSend(fieldsOf(reply)['objectId'] ?? '');
    expect(push).toMatchObject({ isDispatched: false, service: 'rtm' });
    expect(push?.audience.addressed?.values).toHaveLength(2);
  });

  it('of a device that is no target any more does not reach its user', async () => {
    const client = unique('client');
    const { installationId, objectId } = await aDevice({ vendor: 'HMS', registrationId: unique('reg') }, hybrid);
    await bind(client, installationId, hybrid);
    await hybrid.asMaster('PUT', `/1.1/installations/${objectId}`, { body: { valid: false } });
    expect((await sendTo([client])).body).toEqual({ ...NOTHING, unreachable: 1 });
  });
});
