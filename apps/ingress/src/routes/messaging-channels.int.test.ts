import { anInstallation, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  let at = Date.now();
  // No two saves at once.
  ingress = await openIngress(harness, { now: () => (at += 1) });
  await ingress.store.apps.update(ingress.app.id, (app) => ({ ...app, chatByChannel: true }));
});

/** Saved with the app key, as anybody with the app does. */
async function aDevice(channels: readonly string[]) {
  const installationId = unique('device');
  const body = anInstallation({ installationId, channels, vendor: undefined, registrationId: undefined });
  const { objectId = '' } = fieldsOf(await ingress.call('POST', '/1.1/installations', { body }));
  return { installationId, objectId };
}
const bind = (client: string, id: string) => ingress.asMaster('PUT', `/1.2/rtm/clients/${client}/installations/${id}`);

const send = (offline_clients: readonly string[], conversation = 'c') =>
  ingress.asMaster('POST', `/1.2/rtm/conversations/${conversation}/offline-messages`, {
    body: { from_client: 'Tom', offline_clients, message: 'Dinner?', push_data: { alert: 'Tom: Dinner?' } },
  });
const NOTHING = { pushed: 0, muted: 0, unreachable: 0, withoutText: 0 };

async function devicesOf(reply: Awaited<ReturnType<typeof send>>): Promise<readonly string[]> {
  const { body } = await ingress.asMaster('GET', `/1.1/notifications/${fieldsOf(reply)['objectId'] ?? ''}`);
  return (body as { where: { objectId: { $in: string[] } } }).where.objectId.$in;
}

const wordsOf = (words: RegExp) => [{ path: 'offline_clients', message: expect.stringMatching(words) }];

describe('the channels of devices, where they count', () => {
  it('lead to devices beside what is bound, and both of a device count once', async () => {
    const client = unique('client');
    const first = await aDevice([client, 'news']);
    const second = await aDevice([client]);
    await bind(client, first.installationId);
    const reply = await send([client]);
    expect(reply.body).toEqual({ ...NOTHING, objectId: expect.any(String), pushed: 1 });
    expect([...(await devicesOf(reply))].sort()).toEqual([first.objectId, second.objectId].sort());
  });

  it('of a device that is no target any more, or whose user has muted the conversation, lead to nobody', async () => {
    const [client, quiet, conversation] = [unique('client'), unique('quiet'), unique('conv')];
    const { objectId } = await aDevice([client]);
    await aDevice([quiet]);
    expect((await send([client, quiet], conversation)).body).toMatchObject({ ...NOTHING, pushed: 2 });
    await ingress.asMaster('PUT', `/1.1/installations/${objectId}`, { body: { valid: false } });
    const body = { client_ids: [quiet] };
    await ingress.asMaster('POST', `/1.2/rtm/conversations/${conversation}/mutes`, { body });
    expect((await send([client, quiet], conversation)).body).toEqual({ ...NOTHING, muted: 1, unreachable: 1 });
  });

  it('do not bring a message to the one who wrote it', async () => {
    await aDevice(['Tom']);
    expect((await send(['Tom'])).body).toEqual(NOTHING);
  });

  it('reach the ten devices of a client that were saved last beside those that are bound, with a warning', async () => {
    const client = unique('client');
    const mine = await aDevice([client]);
    await bind(client, mine.installationId);
    const others: string[] = [];
    for (let i = 0; i < 12; i += 1) others.push((await aDevice([client])).objectId);
    const reply = await send([client]);
    expect(reply.body).toMatchObject({
      ...{ ...NOTHING, pushed: 1 },
      warnings: wordsOf(new RegExp(`^more than 10 devices .* saved last count: ${client}$`)),
    });
    expect([...(await devicesOf(reply))].sort()).toEqual([mine.objectId, ...others.slice(-10)].sort());
  });

  it('of a crowd count for nobody, and take nothing from those whom the chat server bound or from others', async () => {
    const [crowd, quiet, other] = [unique('crowd'), unique('quiet'), unique('other')];
    const mine = await aDevice([]);
    await bind(crowd, mine.installationId);
    const theirs = await aDevice([other]);
    await Promise.all(Array.from({ length: 65 }, () => aDevice([crowd, quiet])));
    const reply = await send([crowd, quiet, other]);
    expect(reply.body).toMatchObject({
      ...{ ...NOTHING, pushed: 2, unreachable: 1 },
      warnings: wordsOf(new RegExp(`^more than 64 devices .* none of them counts: ${crowd}, ${quiet}$`)),
    });
    expect([...(await devicesOf(reply))].sort()).toEqual([mine.objectId, theirs.objectId].sort());
    expect((await send([quiet])).body).toEqual({
      ...NOTHING,
      unreachable: 1,
      warnings: wordsOf(/none of them counts/),
    });
  });

  it('are told of no more than five clients by name', async () => {
    const clients = Array.from({ length: 7 }, () => unique('crowd'));
    await Promise.all(Array.from({ length: 11 }, () => aDevice(clients)));
    const { body } = await send(clients);
    expect(body).toMatchObject({ pushed: 7, warnings: wordsOf(/: (\S+, ){4}\S+ and 2 more$/) });
  });

  it('are asked for so many at a time while their index is being checked, and more are asked to come again', async () => {
    const clients = Array.from({ length: 17 }, () => unique('client'));
    const { status, body, headers } = await send(clients);
    expect({ status, body }).toEqual({
      status: 503,
      body: errorBody(503, /^offline_clients: .*at most 16 client ids/),
    });
    expect(headers.get('retry-after')).toBe('60');
    expect((await send(clients.slice(1))).body).toEqual({ ...NOTHING, unreachable: 16 });
  });
});
