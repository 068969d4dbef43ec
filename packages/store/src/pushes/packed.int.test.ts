import type { JsonObject, PushRecord } from '@pushfleet/domain';
import { seededRandom, unique, until } from '@pushfleet/testing';
import type { Store } from '../open-store';
import { aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import { shardOfPush } from './keys';
import type { NewPush } from './new-push';
import { planDirect } from './plan-direct';
import { RECORD } from './record-fields';

const t = storeUnderTest();
const random = seededRandom(Date.now());
const now = () => t.clock.now();
/** A store whose Redis may hold processes of the version before. */
let careful: Store;

beforeAll(async () => {
  careful = t.open({ namespace: unique(t.harness.namespace) });
  // An empty Redis is of the format of whoever comes first.
  await t.store.format.check();
  await until(async () => (await isPacked(await finished(t.store))) || undefined);
});

const isPacked = async (pushId: string): Promise<boolean> =>
  (await t.redis.hexists(t.keys.pushRecord(pushId), RECORD.packedApp)) === 1;

interface Outcome {
  readonly refused?: readonly string[];
  readonly vendorCode?: string;
  readonly note?: string;
  /** The one device whose outcome is told. */
  readonly told?: string;
}

/** A push to devices that is over, of which the vendor refused some. */
async function finished(
  store: Store,
  changes: Partial<NewPush> = {},
  { refused = [], vendorCode = '9', note, told }: Outcome = {},
): Promise<string> {
  const objectIds = ['a', 'b', 'c'];
  const plan = planDirect(
    () => ({ channel: 'hms', profile: '_default' }),
    objectIds.map((objectId) => ({ bucket: 'hms/_default', installation: { objectId, registrationId: objectId } })),
  );
  const addressed = { field: 'objectId', values: objectIds } as const;
  const where = { objectId: { $in: objectIds } };
  const [accepted] = await store.acceptPushes([aPush(t, { audience: { addressed }, where, plan, ...changes })]);
  const pushId = accepted?.pushId ?? '';
  const books = new Books('hms');
  if (told === undefined) books.accept(objectIds.length - refused.length);
  else books.acceptDevices([told]);
  books.add('outstanding', -objectIds.length);
  if (note !== undefined) books.note(note, objectIds.length);
  for (const objectId of refused)
    books.refuseDevice('discarded', 'notifications-off', {
      objectId,
      vendorCode,
      vendorMessage: 'aus '.repeat(40),
    });
  await store.ledger.fold({ pushId, part: { page: 1 }, books, now: now() });
  return pushId;
}

const SYLLABLES = [
  'a',
  '"',
  '\\',
  '~1',
  'ä',
  '€',
  '消',
  '😀',
  ' ',
  '{"x":1}',
  ',"sections":{}},"prod":"prod","createdAt":1',
];
const someText = (most: number): string =>
  Array.from({ length: random.below(most) }, () => random.pick(SYLLABLES)).join('');

function aContent(): NewPush['content'] {
  const data: JsonObject = { alert: someText(200), [someText(3)]: someText(40), n: random.below(1_000_000) };
  return { data, sections: random.below(3) === 0 ? { hms: { category: someText(5) } } : {} };
}

const codeOf = ({ vendorCode }: { readonly vendorCode?: string }) => vendorCode;
const nameless = ({ objectId: _, notificationId: __, ...record }: PushRecord) => record;

describe('the record of an addressed push that is done', () => {
  it('reads as before, whatever its sender wrote', async () => {
    for (let i = 0; i < 60; i += 1) {
      const changes = { content: aContent(), where: { objectId: someText(30) }, pushTime: now() + random.below(3) };
      const outcome = { refused: random.below(2) === 0 ? ['b'] : [] };
      const [packed, whole] = [await finished(t.store, changes, outcome), await finished(careful, changes, outcome)];
      const [found, expected] = [await t.store.pushes.read(packed), await careful.pushes.read(whole)];
      expect(nameless(found as PushRecord)).toEqual(nameless(expected as PushRecord));
      const { pushId: _, ...toSend } = (await t.store.pushes.toSend(packed)) ?? {};
      expect(toSend).toEqual({ ...(await careful.pushes.toSend(whole)), pushId: undefined });
      expect(await t.store.pushes.verdict(packed, 'b')).toEqual(await careful.pushes.verdict(whole, 'b'));
    }
  });

  it.each<Outcome>([{ note: 'attributes: a~1 left out' }, { refused: ['a'], vendorCode: 'x~y' }])(
    'stays as it is when a name in it looks like that of a piece: %j',
    async (outcome) => {
      const [pushId, whole] = [await finished(t.store, {}, outcome), await finished(careful, {}, outcome)];
      const [found, expected] = [await t.store.pushes.read(pushId), await careful.pushes.read(whole)];
      expect(nameless(found as PushRecord)).toEqual(nameless(expected as PushRecord));
      expect(await isPacked(pushId)).toBe(false);
      const told = [...(found?.warnings ?? []).map(({ message }) => message), ...(found?.errors ?? []).map(codeOf)];
      expect(told).toEqual([outcome.note ?? outcome.vendorCode]);
    },
  );

  it('is one piece of memory, and small', async () => {
    const objectId = unique('installation');
    const content = { data: { alert: 'Your code is 123456', order: 17 }, sections: {} };
    const pushId = await finished(t.store, { content, where: { objectId } });
    const key = t.keys.pushRecord(pushId);
    expect(await t.redis.object('ENCODING', key)).toMatch(/listpack|ziplist/);
    expect(Number(await t.redis.memory('USAGE', key, 'SAMPLES', 0))).toBeLessThan(500);
    expect(await t.redis.pttl(key)).toBeGreaterThan(0);
  });

  it.each<Outcome>([
    { told: 'Az09' },
    { refused: ['Az09'], vendorCode: 'x"@"' },
    { refused: ['Az09'], vendorCode: '@' },
  ])('names its one device once where it can, and tells its outcome as before: %j', async (outcome) => {
    const pushId = await finished(t.store, { where: { objectId: 'Az09' } }, outcome);
    expect(await isPacked(pushId)).toBe(true);
    const { where } = await t.redis.hgetall(t.keys.pushRecord(pushId));
    expect(where).toBe(outcome.vendorCode === '@' ? '{"objectId":"Az09"}' : 'Az09');
    expect((await t.store.pushes.read(pushId))?.where).toEqual({ objectId: 'Az09' });
    const { rows } = await t.store.outcomes.page({ pushIds: [pushId], filter: {}, limit: 10 });
    const told = { objectId: 'Az09', outcome: outcome.told === undefined ? 'discarded' : 'accepted' };
    expect(rows).toEqual([expect.objectContaining(told)]);
  });

  it('stays as it is while a process of the version before may read it', async () => {
    const pushId = await finished(careful);
    expect((await careful.pushes.read(pushId))?.status).toBe('done');
    expect(await careful.format.isSettled()).toBe(false);
  });

  it('counts the receipts that come later, for its app alone', async () => {
    const pushId = await finished(t.store);
    expect(await isPacked(pushId)).toBe(true);
    const receipt = { app: t.app, pushId, channel: 'hms', kind: 'delivered', registrationId: 'r' } as const;
    expect(await t.store.receipts.count({ ...receipt, app: 'another' })).toBe(false);
    expect([await t.store.receipts.count(receipt), await t.store.receipts.count(receipt)]).toEqual([true, false]);
    expect((await t.store.pushes.read(pushId))?.channels['hms']).toMatchObject({ accepted: 3, delivered: 1 });
  });

  it('is listed, looked at and found in order', async () => {
    const pushId = await finished(t.store);
    const ids = (await t.store.pushes.filter(t.app, { limit: 500, skip: 0, status: 'done' })).results.map(
      ({ objectId }) => objectId,
    );
    expect(ids).toContain(pushId);
    expect(await t.store.audit.look(pushId)).toMatchObject({ state: 'done', addsUp: true });
    expect(await t.store.pushes.open(shardOfPush(pushId), now() + 1, 1000)).not.toContain(pushId);
    expect(await t.store.closed.giveUp(pushId, now())).toBe(false);
  });

  it('gives a repeated req_id its first answer', async () => {
    const reqId = unique('q').slice(0, 16);
    const addressed = { field: 'objectId', values: ['a'] } as const;
    const first = aPush(t, { reqId, audience: { addressed } });
    const [accepted] = await t.store.acceptPushes([first]);
    const pushId = accepted?.pushId ?? '';
    const { pages, books } = planDirect(
      () => ({ channel: 'hms', profile: 'p' }),
      [{ bucket: 'hms/p', installation: { objectId: 'a', registrationId: 'a' } }],
    );
    await t.store.ledger.plan({ pushId, lanes: [], pages, books, now: now() });
    const taken = new Books('hms');
    taken.accept(1);
    await t.store.ledger.fold({ pushId, part: { page: 1 }, books: taken, now: now() });
    expect(await isPacked(pushId)).toBe(true);
    t.clock.advance(1000);
    expect(await t.store.acceptPushes([{ ...first, pushTime: now() }])).toEqual([{ ...accepted, needsJob: false }]);
  });

  it('is kept for a time of its own', async () => {
    const store = t.open({ addressedRetentionMs: 3_600_000 });
    const addressed = await finished(store);
    const [audience] = await store.acceptPushes([aPush(t)]);
    const pushId = audience?.pushId ?? '';
    await store.ledger.plan({ pushId, lanes: [], pages: [], books: [], now: now() });
    const [short, long] = await Promise.all([addressed, pushId].map((id) => t.redis.pttl(t.keys.pushRecord(id))));
    expect(short).toBeLessThanOrEqual(3_600_000);
    expect(long).toBeGreaterThan(6 * 86_400_000);
  });
});
