import { LIMITS } from '@pushfleet/domain';
import { mastersOf, SECRET_KEY, unique } from '@pushfleet/testing';
import { ALL_SHARDS } from '../kit/shards';
import { openStore } from '../open-store';
import { storeKeys } from '../store-keys';
import { aPush } from '../testing/a-push';
import { ownRedis } from '../testing/own-redis';
import { Books } from './books';
import { ID_BYTES } from './push-ids';

const own = ownRedis();
const { signal: stopping } = new AbortController();

afterEach(() => setMaxmemory(0));

async function setMaxmemory(bytes: number): Promise<void> {
  const masters = mastersOf(own.redis);
  for (const master of masters) await master.config('SET', 'maxmemory', String(Math.ceil(bytes / masters.length)));
}

/** Pushes that are done and wait in a mailbox. */
async function aFleetWith(count: number) {
  const [namespace, app] = [unique('fleet'), unique('app')];
  const open = () => openStore({ redis: own.redis, namespace, secretKey: SECRET_KEY, vendors: new Map() });
  const store = open();
  const sender = { app, clock: { now: Date.now } };
  const pushes = await store.acceptPushes(Array.from({ length: count }, () => aPush(sender)));
  const [now, expiresAt] = [Date.now(), Date.now() + 3_600_000];
  for (const { pushId } of pushes) {
    const push = { pushId, app, text: JSON.stringify({ alert: 'x'.repeat(500) }), expiresAt };
    await store.mailboxes.put({ push, installationIds: [unique('device')], limit: 50 });
    const books = new Books('own');
    for (const name of ['matched', 'accepted']) books.add(name, 1);
    await store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now });
  }
  const keys = storeKeys(namespace);
  /** Bytes that the lists count, each entry of which begins with an id and a number. */
  const bytesOf = async (list: 'ownTexts' | 'closedPushes'): Promise<number> => {
    const entries = await Promise.all(ALL_SHARDS.map((shard) => own.redis.lrange(keys[list](shard), 0, -1)));
    return entries.flat().reduce((sum, entry) => sum + Number.parseInt(entry.slice(ID_BYTES), 10), 0);
  };
  /** Of a process that does not know yet how much Redis has. */
  const trim = (list: 'ownTexts' | 'closed', maxBytes?: number) => open()[list].trim({ maxBytes, stopping });
  return { trim, bytesOf };
}

describe.each([
  { list: 'closedPushes', room: 'closed', share: LIMITS.pushRecordsShare.value },
  { list: 'ownTexts', room: 'ownTexts', share: LIMITS.ownTextsShare.value },
] as const)('$list without a number of bytes', ({ list, room, share }) => {
  it('take their share of the memory of all masters', async () => {
    const { trim, bytesOf } = await aFleetWith(60);
    const all = await bytesOf(list);
    const maxBytes = Math.ceil(all / 2);
    await setMaxmemory((maxBytes * 100) / share);
    expect(await trim(room)).toBeGreaterThan(20);
    expect(await bytesOf(list)).toBeLessThanOrEqual(maxBytes);
    expect(await bytesOf(list)).toBeGreaterThan(0.9 * maxBytes);
  });

  it('take what they like of a Redis without a limit, unless bytes are said', async () => {
    const { trim, bytesOf } = await aFleetWith(3);
    const all = await bytesOf(list);
    expect([await trim(room), await bytesOf(list)]).toEqual([0, all]);
    expect(await trim(room, 0)).toBe(3);
  });
});
