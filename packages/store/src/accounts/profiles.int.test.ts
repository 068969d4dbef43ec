import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const ref = { app: 'chess', channel: 'hms', profile: 'game' };
const stored = { value: { appId: '1', appSecret: 's' }, receiptKey: 'k' };

it('a profile is kept until it is removed', async () => {
  await t.store.profiles.put(ref, stored);
  expect(await t.store.profiles.get(ref)).toEqual(stored);
  expect(await t.store.profiles.get({ ...ref, profile: 'other' })).toBeUndefined();
  expect(await t.store.profiles.remove(ref)).toBe(true);
  expect(await t.store.profiles.remove(ref)).toBe(false);
  expect(await t.store.profiles.get(ref)).toBeUndefined();
});

it('names are at most a second old, and not old at all for the process that changed them', async () => {
  const other = t.open();
  expect(await other.profiles.names('chess')).toEqual(new Set());
  await t.store.profiles.names('chess');
  await t.store.profiles.put(ref, stored);
  expect(await t.store.profiles.names('chess')).toEqual(new Set(['hms/game']));
  expect(await other.profiles.names('chess')).toEqual(new Set());
  t.clock.advance(1000);
  expect(await other.profiles.names('chess')).toEqual(new Set(['hms/game']));
});

describe('what became known of a profile', () => {
  const of = () => t.store.profiles;
  const passed = { ok: true, vendorCode: '0', vendorMessage: 'success' };
  const notes = async () => Object.keys(await t.redis.hgetall(t.keys.profileNotes(ref.app))).sort();
  const aProfile = () => of().put(ref, stored);

  beforeEach(aProfile);
  afterEach(() => of().remove(ref));

  it('is nothing at first', async () => {
    expect(await of().noteOf(ref)).toEqual({});
  });

  it('is the last test, until other credentials are saved', async () => {
    await of().noteTest(ref, stored.value, {
      ok: false,
      vendorCode: null,
      vendorMessage: 'late',
      fault: 'unreachable',
    });
    t.clock.advance(1000);
    await of().noteTest(ref, stored.value, passed);
    expect(await of().noteOf(ref)).toEqual({ lastTest: { at: t.clock.now(), ...passed } });
    expect(await of().noteOf({ ...ref, profile: 'other' })).toEqual({});
    await of().put(ref, { ...stored, value: { appId: '2', appSecret: 's' } });
    expect(await of().noteOf(ref)).toEqual({});
  });

  it('is no test of credentials that were replaced while the vendor was asked, or removed', async () => {
    await of().put(ref, { ...stored, value: { appId: '2', appSecret: 's' } });
    await of().noteTest(ref, stored.value, passed);
    expect(await of().noteOf(ref)).toEqual({});
    await of().remove(ref);
    await of().noteTest(ref, stored.value, passed);
    expect(await notes()).toEqual([]);
  });

  it('is bounded, whatever the vendor says', async () => {
    await of().noteTest(ref, stored.value, { ok: false, vendorCode: 'c'.repeat(999), vendorMessage: 'm'.repeat(9999) });
    const { lastTest } = await of().noteOf(ref);
    expect([lastTest?.vendorCode?.length, lastTest?.vendorMessage?.length]).toEqual([64, 500]);
  });

  it('is when a receipt was seen, which a process writes once a minute', async () => {
    const { profiles } = t.open();
    const first = t.clock.now();
    await profiles.noteReceipt(ref);
    await profiles.noteReceipt({ ...ref, profile: 'of nobody' });
    t.clock.advance(59_000);
    await profiles.noteReceipt(ref);
    expect(await of().noteOf(ref)).toEqual({ receiptSeenAt: first });
    t.clock.advance(1000);
    await profiles.noteReceipt(ref);
    expect(await of().noteOf(ref)).toEqual({ receiptSeenAt: first + 60_000 });
    // A clock that is set back does not silence it for as long as that.
    t.clock.advance(-3_600_000);
    await profiles.noteReceipt(ref);
    expect(await of().noteOf(ref)).toEqual({ receiptSeenAt: first - 3_540_000 });
    expect(await notes()).toEqual(['receipt hms/game']);
  });

  it('outlives a save as far as receipts go, and goes with the profile', async () => {
    const { profiles } = t.open();
    await profiles.noteReceipt(ref);
    await aProfile();
    await profiles.noteTest(ref, stored.value, passed);
    expect(await notes()).toEqual(['receipt hms/game', 'test hms/game']);
    await profiles.remove(ref);
    expect(await notes()).toEqual([]);
    await aProfile();
    expect(await of().noteOf(ref)).toEqual({});
  });
});
