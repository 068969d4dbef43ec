import { directQueue } from '@pushfleet/queues';
import { dispatchEnvelope } from './dispatch';
import { dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

const devices = (bucket: string, ...registrationIds: string[]) => ({
  audience: { devices: { bucket, registrationIds } },
});

describe('a push to addresses that its sender knows', () => {
  test('is planned without look-up, under the addresses themselves', async () => {
    const app = await t.createApp(['hms']);
    const pushId = await t.accept(app, devices('hms/_default', 'r1', 'r2'));
    await dispatchEnvelope(t.ports, 'envelope', [pushId]);
    expect((await t.store.pushes.withPage(pushId, 1))?.page).toMatchObject({
      ...{ channel: 'hms', profile: '_default', direct: true },
      devices: [
        ['r1', 'r1'],
        ['r2', 'r2'],
      ],
    });
    expect((await t.record(pushId)).channels).toMatchObject({ hms: { expected: 2, matched: 2, outstanding: 2 } });
    expect(await t.jobsIn(directQueue('hms'))).toBe(1);
  });

  test.each([
    ['ios', 'platform-unsupported'],
    ['unknown', 'vendor-unknown'],
    ['hms/other', 'profile-missing'],
  ])('of the bucket %s is discarded, each address by name', async (bucket, reason) => {
    const pushId = await t.accept(await t.createApp(['hms']), devices(bucket, 'r1', 'r2'));
    await dispatchEnvelope(t.ports, 'envelope', [pushId]);
    const { status, errors, warnings = [] } = await t.record(pushId);
    const named = [{ channel: 'hms', message: 'there is no profile "other"', count: 2 }];
    expect(warnings).toEqual(reason === 'profile-missing' ? named : []);
    expect({ status, errors }).toMatchObject({ status: 'done', errors: [{ reason, count: 2, samples: ['r1', 'r2'] }] });
  });

  test('goes to the installations behind them when hybrid push is off', async () => {
    const app = await t.createApp(['hms']);
    const [objectId] = await t.register(app, [{ vendor: 'HMS', registrationId: 'r1' }]);
    await t.store.apps.update(app.id, (stored) => ({ ...stored, hybrid: false }));
    const pushId = await t.accept(app, devices('hms/_default', 'r1', 'nobody'));
    await dispatchEnvelope(t.ports, 'envelope', [pushId]);
    const { channels, errors } = await t.record(pushId);
    expect(Object.keys(channels)).toEqual(['own']);
    expect(channels['own']).toMatchObject({ matched: 1 });
    expect(errors.flatMap(({ samples }) => samples)).toEqual([objectId]);
  });

  test('is forgotten by the record when the list is long, and kept by the plan', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => `r${i}`.padEnd(100, 'x'));
    const pushId = await t.accept(await t.createApp(['hms']), devices('hms/_default', ...ids));
    await dispatchEnvelope(t.ports, 'envelope', [pushId]);
    expect((await t.store.pushes.toSend(pushId))?.audience).toEqual({ isForgotten: true });
    expect((await t.store.pushes.withPage(pushId, 1))?.page?.devices).toHaveLength(500);
  });
});

describe('a cancelled push', () => {
  test('that was not dispatched reaches nobody', async () => {
    const app = await t.createApp(['hms']);
    await t.register(app, [{ vendor: 'HMS', registrationId: 'r1' }]);
    const pushId = await t.accept(app);
    await t.store.pushes.cancel(pushId, Date.now());
    await dispatchEnvelope(t.ports, 'envelope', [pushId]);
    expect(await t.record(pushId)).toMatchObject({ status: 'done', isCancelled: true, channels: {} });
  });

  test('that is under way gets jobs that do not wait beside those that do', async () => {
    const app = await t.createApp(['hms']);
    const pushId = await t.accept(app);
    const page = { channel: 'hms', profile: '_default', devices: [['a']] as const, tries: 1, direct: false };
    const pages = [{ ...page, dueAt: Date.now() + 3_600_000 }];
    await t.store.ledger.plan({ pushId, lanes: [], pages, books: [], now: Date.now() });
    await dispatchEnvelope(t.ports, 'first', [pushId]);
    await t.store.pushes.cancel(pushId, Date.now());
    await dispatchEnvelope(t.ports, 'cancel', [pushId]);
    expect(await t.job('channel-hms-bulk', `${pushId}-hms-p1`)).toBeDefined();
    expect(await t.job('channel-hms-bulk', `${pushId}-hms-p1-cancelled`)).toBeDefined();
  });
});
