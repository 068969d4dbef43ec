import { MAX_AUDIT_ENTRIES, type AuditEntry } from './audit-log';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

const entry = (target: string): AuditEntry => ({
  ...{ at: 1_900_000_000_000, by: 'admin-token', from: '127.0.0.1', action: 'pauseChannel', target },
});

beforeEach(() => t.redis.del(t.keys.auditLog()));

it('is read from the newest on, page by page', async () => {
  const targets = ['/a', '/b', '/c', '/d', '/e'];
  for (const target of targets) await t.store.auditLog.add(entry(target));
  const first = await t.store.auditLog.read({ limit: 2 });
  const second = await t.store.auditLog.read({ limit: 2, cursor: first.cursor });
  const third = await t.store.auditLog.read({ limit: 2, cursor: second.cursor });
  const read = [first, second, third].flatMap(({ entries }) => entries);
  expect(read).toEqual(targets.reverse().map(entry));
  expect(third.cursor).toBeUndefined();
});

it('keeps what changed', async () => {
  const changed: AuditEntry = { ...entry('/apps/x'), changes: { hybrid: [false, true], name: [null, 'x'] } };
  await t.store.auditLog.add(changed);
  expect((await t.store.auditLog.read({ limit: 1 })).entries).toEqual([changed]);
});

it('forgets the oldest, and stays bounded', async () => {
  const batch = t.redis.pipeline();
  for (let i = 0; i < MAX_AUDIT_ENTRIES + 500; i += 1) batch.xadd(t.keys.auditLog(), '*', 'entry', '{}');
  await batch.exec();
  await t.store.auditLog.add(entry('/newest'));
  // Redis cuts whole nodes of its stream, of a hundred entries as it comes.
  expect(await t.redis.xlen(t.keys.auditLog())).toBeLessThan(MAX_AUDIT_ENTRIES + 200);
  expect((await t.store.auditLog.read({ limit: 1 })).entries).toEqual([entry('/newest')]);
});

it.each(['no JSON', '5', '{"at":"x"}'])(
  'an entry that says %s is told as damaged, between the others',
  async (text) => {
    await t.store.auditLog.add(entry('/before'));
    const id = (await t.redis.xadd(t.keys.auditLog(), '*', 'entry', text)) ?? '';
    await t.store.auditLog.add(entry('/after'));
    const damaged = { action: 'damaged', target: `entry ${id}`, at: Number.parseInt(id, 10) };
    expect((await t.store.auditLog.read({ limit: 10 })).entries).toEqual([
      entry('/after'),
      expect.objectContaining(damaged),
      entry('/before'),
    ]);
  },
);
