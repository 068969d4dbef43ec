import type { JsonObject } from '@pushfleet/domain';
import { shardOf } from '@pushfleet/store';
import { anInstallation, countCommands, redisHarness, unique, type CommandCount } from '@pushfleet/testing';
import { fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
let commands: CommandCount;

const PATH = '/1.1/installations';
const SAVES = 15;

beforeAll(async () => {
  ingress = await openIngress(harness);
  await save(aDevice());
  commands = await countCommands(await harness.open(), harness.namespace);
  harness.onClose(() => commands.close());
});

const aDevice = (): JsonObject => anInstallation({ channels: ['news'], deviceToken: undefined });

async function save(body: JsonObject): Promise<string> {
  const reply = await ingress.call('POST', PATH, { body });
  expect(reply.status).toBe(201);
  return fieldsOf(reply)['objectId'] ?? '';
}

/**
 * How many commands a request sends, in the middle of several: now and then one reads anew what the ingress keeps for a second
 * (the app with its keys and limits) or writes again what it wrote a while ago (the name of a bucket). Beside them the memory of
 * Redis is read once a second; what an address may save is counted in the process.
 */
async function medianOf(request: (i: number) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let i = 0; i < SAVES; i += 1) counts.push((await commands.during(() => request(i))).length);
  return counts.sort((a, b) => a - b)[Math.floor(SAVES / 2)] ?? NaN;
}

/** Saves of one device come one after the other. */
function devicesOfOneShard(count: number): { objectId: string; doc: JsonObject }[] {
  const devices: { objectId: string; doc: JsonObject }[] = [];
  while (devices.length < count) {
    const objectId = unique('device');
    if (shardOf(objectId) === 7) devices.push({ objectId, doc: aDevice() });
  }
  return devices;
}

const savedDevices = async () => {
  const bodies = Array.from({ length: SAVES }, aDevice);
  const ids: string[] = [];
  for (const body of bodies) ids.push(await save(body));
  return { body: (i: number) => bodies[i] ?? {}, id: (i: number) => ids[i] ?? '' };
};

describe('what a save sends to Redis', () => {
  it('is five commands for a new device that subscribes to a channel: a look-up, two claims, the channel, the record', async () => {
    expect(await medianOf(() => save(aDevice()))).toBeLessThanOrEqual(5);
  });

  it('is two commands for one that changes nothing, by installationId', async () => {
    const { body } = await savedDevices();
    expect(await medianOf((i) => save(body(i)))).toBe(2);
  });

  it('is one command for one that changes nothing, by objectId', async () => {
    const { body, id } = await savedDevices();
    expect(await medianOf((i) => ingress.call('PUT', `${PATH}/${id(i)}`, { body: body(i) }))).toBe(1);
  });

  it('is no more with what the device once read, its updatedAt among it', async () => {
    const { id } = await savedDevices();
    const read = await Promise.all(
      Array.from({ length: SAVES }, async (_, i) => (await ingress.call('GET', `${PATH}/${id(i)}`)).body as JsonObject),
    );
    expect(await medianOf((i) => ingress.call('PUT', `${PATH}/${id(i)}`, { body: read[i] }))).toBe(1);
    const updatedAt = { updatedAt: '2026-11-23T00:00:00.000Z' };
    expect(await medianOf((i) => ingress.call('PUT', `${PATH}/${id(i)}`, { body: updatedAt }))).toBe(1);
  });

  it('is shared by saves of one shard that come together in a batch', async () => {
    const devices = devicesOfOneShard(40);
    await ingress.store.installations.import(ingress.app.id, devices);
    const requests = devices.map(({ objectId, doc }) => ({ method: 'PUT', path: `${PATH}/${objectId}`, body: doc }));
    const sent = await commands.during(() => ingress.call('POST', '/1.1/batch', { body: { requests } }));
    expect(sent.length).toBeLessThan(20);
  });

  it('is a handful for one that changes another field, or the registrationId', async () => {
    const { body } = await savedDevices();
    const installationId = (i: number): JsonObject => ({ installationId: body(i)['installationId'] ?? '' });
    expect(await medianOf((i) => save({ ...installationId(i), city: 'Rome' }))).toBeLessThanOrEqual(4);
    expect(await medianOf((i) => save({ ...installationId(i), registrationId: unique('r') }))).toBeLessThanOrEqual(7);
  });
});
