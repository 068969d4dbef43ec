import { COUNTED_RECEIPTS, LIMITS, type JsonObject } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import type { StoreKeys } from '../store-keys';
import type { Store } from '../open-store';
import { Books } from '../pushes/books';
import type { NewPush } from '../pushes/new-push';

interface Place {
  readonly store: Store;
  readonly keys: StoreKeys;
  readonly now: () => number;
}

const lane = { id: 1, channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 };

/** Makes an app have everything that an app can have; resolves with its pushes. */
export async function fillApp({ store, now }: Place, app: string, devices = 12): Promise<readonly string[]> {
  const ref = { app, channel: 'hms', profile: '_default' };
  const value = { appSecret: 's' };
  await store.profiles.put(ref, { value, receiptKey: 'k' });
  await store.profiles.noteTest(ref, value, { ok: true, vendorCode: '0', vendorMessage: null });
  await store.profiles.noteReceipt(ref);
  const ids = Array.from({ length: devices }, () => unique('installation'));
  await Promise.all(
    ids.map(async (installationId, i) => {
      const vendor: JsonObject = { vendor: 'HMS', registrationId: unique('r'), deviceToken: unique('t') };
      const channels = ['news', `c${i % 3}`];
      const body = { deviceType: 'android', installationId, channels, ...(i % 2 === 0 ? {} : vendor) };
      await store.installations.save({ app, body, now: now() });
      await store.presence.attach(app, installationId, { node: 'n', connection: 'c' });
    }),
  );
  await store.installations.noteSwept(app, 60_000);
  await store.messaging.mutes.add(app, 'conversation', ['Tom']);
  await store.messaging.bindings.bind(app, { client: 'Tom', installationId: ids[0] ?? '' });
  await store.messaging.answers.keep({ app, reqId: 'req1' }, '{}');
  const push = (changes: Partial<NewPush> = {}): NewPush => ({
    ...{ app, content: { data: { alert: 'text of the old owner' }, sections: {} }, audience: {}, where: {} },
    ...{ prod: 'prod', pushTime: now(), expiresAt: now() + 3_600_000, isScheduled: false, ...changes },
  });
  // So large that it takes more than one place.
  const where = { name: 'n'.repeat(LIMITS.scheduledPlaceBytes.value) };
  const later = push({ isScheduled: true, pushTime: now() + 60_000, where });
  const place = await store.schedule.take(later, { max: 10, now: now() });
  const accepted = await store.acceptPushes([
    push(),
    push({ notificationId: 'note1' }),
    push({ reqId: 'req1' }),
    { ...later, place },
    push(),
  ]);
  const [waiting = '', walked = '', , , done = ''] = accepted.map(({ pushId }) => pushId);
  await store.pushes.index(app, [{ pushId: waiting, createdAt: now() }]);
  await store.ledger.plan({ pushId: walked, lanes: [lane], pages: [], books: [new Books('hms')], now: now() });
  await store.ledger.plan({ pushId: done, lanes: [lane], pages: [], books: [new Books('hms')], now: now() });
  const books = new Books('hms');
  books.refuse('discarded', 'registration-gone', { count: 30, samples: [], vendorCode: '1' });
  for (let i = 0; i < 30; i += 1) books.verdicts.push([`o${i}`, '{}']);
  const part = { lane: 1, from: { shard: 0, objectId: '' }, to: 'done' as const };
  await store.ledger.fold({ pushId: done, part, books, now: now() });
  for (const kind of COUNTED_RECEIPTS)
    await store.receipts.count({ app, pushId: done, channel: 'hms', kind, registrationId: 'r' });
  const mail = { pushId: walked, app, text: '{}', expiresAt: now() + 3_600_000 };
  await store.mailboxes.put({ push: mail, installationIds: ids, limit: 5 });
  for (const by of ['app-key', 'master-key'] as const) await store.quotas.takeCalls({ app, by, perMinute: 100 }, 1);
  await store.quotas.takeDeliveries(app, 1, 100);
  await fillPacing(store, { app, pushId: walked, now: now() });
  return accepted.map(({ pushId }) => pushId);
}

async function fillPacing(
  { pacing }: Store,
  { app, pushId, now }: { readonly app: string; readonly pushId: string; readonly now: number },
): Promise<void> {
  const wish = { perSecond: 10, queue: 'bulk', want: 1, least: 1 } as const;
  const [channel, profile] = ['hms', '_default'];
  await pacing.leases.take({ ...wish, rate: { kind: 'requests', app, channel, profile } });
  await pacing.leases.take({ ...wish, rate: { kind: 'push', pushId } });
  await pacing.controls.set(channel, { state: 'paused', app, since: now });
  const to = { state: 'closed', faults: 1, firstFaultAt: now } as const;
  await pacing.breakers.replace(channel, { app, profile }, { from: undefined, to });
  const hold = { since: now, until: now + 1, probeAt: now, probes: 0 };
  await pacing.pushHolds.replace(channel, { app, profile, pushId }, { from: undefined, to: hold });
  await pacing.vendorWaits.note(channel, { app, profile }, { until: now + 1, reason: 'throttled' });
}
