import type { PushRecord, StoredPage } from '@pushfleet/domain';
import { seededRandom } from '@pushfleet/testing';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import { loseMessage } from './lose-message';

const t = storeUnderTest();
const PUSHES = 40;
const random = seededRandom(Date.now());
const CHANNELS = ['hms', 'mi', 'own'];
const REASONS = ['expired', 'registration-gone', 'quota-exceeded'] as const;

function someBooks(): Books {
  const books = new Books(random.pick(CHANNELS));
  books.accept(random.below(5));
  books.add('matched', random.below(5));
  books.add('outstanding', random.below(3));
  books.add('truncated', random.below(2));
  books.note(`words ${random.below(100)}`, 1);
  books.refuse('discarded', random.pick(REASONS), { count: random.below(4), samples: [] });
  if (random.below(2) === 0) books.refuse('failed', 'unreachable', { count: 1, samples: ['a'] });
  return books;
}

/** A record shows no more receipts than devices that were reached. */
function someReached(channel: string): Books {
  const books = new Books(channel);
  books.add('expected', 3);
  books.add('matched', 3);
  books.accept(3);
  return books;
}

const page = (): StoredPage => ({
  ...{ channel: random.pick(CHANNELS), profile: '_default', dueAt: 0, tries: 0, direct: true },
  devices: [['a', 'r']],
});

async function live(pushId: string): Promise<void> {
  const now = t.clock.now();
  const pages = Array.from({ length: random.below(4) }, page);
  await t.store.ledger.plan({ pushId, lanes: [], pages, books: [...CHANNELS.map(someReached), someBooks()], now });
  for (let number = 1; number <= pages.length; number += 1) {
    const retries = random.below(4) === 0 ? [page()] : [];
    const fold = { pushId, part: { page: number }, books: someBooks(), retries, now };
    await Promise.all([t.store.ledger.fold(fold), t.store.ledger.fold(fold)]);
  }
  if (random.below(5) === 0) await t.store.pushes.cancel(pushId, now);
  if (random.below(5) === 0) await t.store.closed.giveUp(pushId, now);
  const receipt = { app: t.app, pushId, channel: 'hms', kind: 'delivered', registrationId: 'r1' } as const;
  await Promise.all([t.store.receipts.count(receipt), t.store.receipts.count(receipt)]);
  await loseMessage(t, pushId, ['i1', 'i2']);
}

/** By channel and what was counted. */
type Sums = Readonly<Record<string, number>>;

function sumsOf(records: readonly PushRecord[]): Sums {
  const sums: Record<string, number> = {};
  const add = (name: string, count: number): void => void (count !== 0 && (sums[name] = (sums[name] ?? 0) + count));
  for (const { channels } of records) {
    for (const [channel, { discarded, failed, outstanding: _left, expected: _expected, ...counts }] of Object.entries(
      channels,
    )) {
      for (const [name, count] of Object.entries(counts)) add(`${channel} count ${name}`, count);
      for (const [name, count] of Object.entries(discarded)) add(`${channel} discarded ${name}`, count);
      for (const [name, count] of Object.entries(failed)) add(`${channel} failed ${name}`, count);
    }
  }
  return sums;
}

test('the totals are the sums of all records, whatever becomes of their pushes', async () => {
  const pushIds = await Promise.all(Array.from({ length: PUSHES }, () => acceptOne(t)));
  await Promise.all(pushIds.map(live));
  const records = await Promise.all(pushIds.map((pushId) => t.store.pushes.read(pushId)));
  const totals = await t.store.deviceTotals();
  const told = totals.filter(({ value, count }) => count !== 0 && value !== 'outstanding' && value !== 'expected');
  expect(
    Object.fromEntries(told.map(({ channel, kind, value, count }) => [`${channel} ${kind} ${value}`, count])),
  ).toEqual(sumsOf(records.filter((record) => record !== undefined)));
});
