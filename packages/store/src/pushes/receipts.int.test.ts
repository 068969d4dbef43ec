import { acceptOne } from '../testing/a-push';
import { Books } from './books';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

describe('a receipt', () => {
  it('counts once, and only for a push of its app', async () => {
    const pushId = await acceptOne(t);
    const receipt = { app: 'app', pushId, channel: 'hms', kind: 'delivered', registrationId: 'r1' } as const;
    const record = await t.store.pushes.read(pushId);
    const own = { ...receipt, app: record?.app ?? '' };
    expect(await t.store.receipts.count(own)).toBe(true);
    expect(await t.store.receipts.count(own)).toBe(false);
    expect(await t.store.receipts.count({ ...own, registrationId: 'r2' })).toBe(true);
    expect(await t.store.receipts.count({ ...own, app: 'another', registrationId: 'r3' })).toBe(false);
  });

  it('is not told before the vendor can have taken the message, and is not forgotten for that', async () => {
    const pushId = await acceptOne(t);
    const deliver = (registrationId: string) =>
      t.store.receipts.count({ app: t.app, pushId, channel: 'hms', kind: 'delivered', registrationId });
    const told = async () => (await t.store.pushes.read(pushId))?.channels['hms'];
    for (let n = 0; n < 50; n += 1) await deliver(`invented-${n}`);
    expect(await told()).toMatchObject({ accepted: 0, delivered: 0 });
    const books = new Books('hms');
    books.add('matched', 3);
    books.accept(1);
    books.add('f:unknown-outcome', 1);
    books.add('f:unreachable', 1);
    await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: t.clock.now() });
    expect(await told()).toMatchObject({ accepted: 1, delivered: 2 });
  });

  it('that comes before the push is done is kept for as long as its record from then on', async () => {
    const pushId = await acceptOne(t);
    const app = (await t.store.pushes.read(pushId))?.app ?? '';
    for (const kind of ['clicked', 'delivered'] as const)
      await t.store.receipts.count({ app, pushId, channel: 'hms', kind, registrationId: 'r1' });
    await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [], now: t.clock.now() });
    const life = await t.redis.pttl(t.keys.pushRecord(pushId));
    for (const kind of ['clicked', 'delivered'] as const)
      expect(Math.abs((await t.redis.pttl(t.keys.receipts(pushId, kind))) - life)).toBeLessThan(5000);
  });

  it('leaves nothing behind that lives for ever, even when it comes before the push is done', async () => {
    const pushId = await acceptOne(t);
    const app = (await t.store.pushes.read(pushId))?.app ?? '';
    await t.store.receipts.count({ app, pushId, channel: 'hms', kind: 'clicked', registrationId: 'r1' });
    expect(await t.redis.pttl(t.keys.receipts(pushId, 'clicked'))).toBeGreaterThan(0);
  });
});
