import { mergeRecords } from './merge-records';
import type { ChannelBooks, PushRecord } from './push-record';
import type { JsonObject } from './json';
import { clientPushView, pushView } from './push-view';

const START_MS = Date.parse('2026-01-02T03:04:05.678Z');

const vendors = [
  { name: 'mi', successesField: 'miSuccesses' },
  { name: 'mz', successesField: 'meizuSuccesses' },
];

const books = (overrides: Partial<ChannelBooks> = {}): ChannelBooks => ({
  ...{ expected: 0, matched: 0, accepted: 0, delivered: 0, lapsed: 0, clicked: 0, truncated: 0 },
  discarded: {},
  failed: {},
  outstanding: 0,
  ...overrides,
});

const record = (overrides: Partial<PushRecord> = {}): PushRecord => ({
  ...{ objectId: 'p1', app: 'app', notificationId: 'n1', status: 'done', prod: 'prod' },
  ...{ msg: { alert: 'hi' }, where: { channels: 'news' } },
  ...{ createdAt: START_MS, updatedAt: START_MS, pushTime: START_MS, expiresAt: START_MS + 1000 },
  ...{ channels: {}, errors: [] },
  ...overrides,
});

it('a record that is not dispatched shows every count as zero', () => {
  expect(pushView(record({ status: 'in-queue' }), vendors)).toEqual({
    ...{ objectId: 'p1', notificationId: 'n1', 'from-service': 'push', prod: 'prod', status: 'in-queue' },
    ...{ msg: { alert: 'hi' }, where: { channels: 'news' } },
    ...{ 'push-time': '2026-01-02T03:04:05.678Z', createdAt: '2026-01-02T03:04:05.678Z' },
    ...{ updatedAt: '2026-01-02T03:04:05.678Z', expiresAt: '2026-01-02T03:04:06.678Z' },
    ...{ devices: 0, successes: 0, invalidTokens: 0, lcSuccesses: 0, miSuccesses: 0, meizuSuccesses: 0 },
    ...{ iosSuccesses: 0, fcmSuccesses: 0, channels: {}, errors: [] },
  });
});

it('a vendor succeeds by accepting, the own channel by delivering', () => {
  const channels = {
    mi: books({ matched: 5, accepted: 3, delivered: 1, discarded: { 'registration-gone': 2 } }),
    own: books({ matched: 7, accepted: 7, delivered: 4 }),
    ios: books({ matched: 1, discarded: { 'platform-unsupported': 1 } }),
  };
  expect(pushView(record({ channels }), vendors)).toMatchObject({
    ...{ devices: 13, successes: 7, lcSuccesses: 4, miSuccesses: 3, meizuSuccesses: 0 },
    channels,
  });
});

it('pushes that share a notification id are one sum under the first', () => {
  const error = { channel: 'mi', reason: 'registration-gone', action: 'drop-registration' } as const;
  const first = record({
    channels: { mi: books({ matched: 2, accepted: 1, discarded: { 'registration-gone': 1 } }) },
    errors: [{ ...error, count: 1, vendorCode: '1', samples: ['a'] }],
  });
  const second = record({
    ...{ objectId: 'p2', status: 'in-queue', createdAt: START_MS + 5, updatedAt: START_MS + 9 },
    channels: {
      mi: books({ matched: 3, accepted: 1, discarded: { 'registration-gone': 2 } }),
      mz: books({ matched: 1, accepted: 1 }),
    },
    errors: [
      { ...error, count: 2, vendorCode: '1', samples: ['a', 'b'] },
      { ...error, count: 1, vendorCode: '2', samples: [] },
    ],
  });
  expect(pushView(mergeRecords([second, first]) ?? first, vendors)).toMatchObject({
    ...{ objectId: 'p1', status: 'in-queue', devices: 6, successes: 3, miSuccesses: 2, meizuSuccesses: 1 },
    ...{ createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:05.687Z' },
    channels: { mi: books({ matched: 5, accepted: 2, discarded: { 'registration-gone': 3 } }) },
    errors: [
      { ...error, count: 3, vendorCode: '1', samples: ['a', 'b'] },
      { ...error, count: 1, vendorCode: '2', samples: [] },
    ],
  });
});

it('a record that waits tells when it will be done', () => {
  const wait = { channel: 'mi', profile: 'p', reason: 'paused', until: START_MS + 9000, devices: 3 } as const;
  const waits = record({ status: 'in-queue', estimatedDoneAt: START_MS + 5000, waiting: [wait] });
  const view = pushView(waits, vendors);
  expect(view['waiting']).toEqual([{ ...wait, until: '2026-01-02T03:04:14.678Z' }]);
  expect(clientPushView(waits, vendors)).not.toHaveProperty('waiting');
  expect(mergeRecords([waits, record({ waiting: [wait] })])?.waiting).toEqual([wait, wait]);
  expect(view).toHaveProperty('estimatedDoneAt', '2026-01-02T03:04:10.678Z');
});

describe('with the app key', () => {
  const error = { channel: 'mi', reason: 'registration-gone', count: 1, action: 'drop-registration', samples: ['o1'] };
  const told = record({ channels: { mi: books({ matched: 2, accepted: 1 }) }, errors: [error as never] });

  it.each<JsonObject>([{}, { channels: { $in: ['a'] } }, { objectId: 'x' }, { installationId: { $in: ['x'] } }])(
    'a push to %j shows its counts, and neither content nor audience nor devices',
    (where) => {
      const { msg: _msg, where: _where, ...view } = pushView({ ...told, where }, vendors);
      const { samples: _samples, ...shown } = error;
      expect(clientPushView({ ...told, where }, vendors)).toEqual({ ...view, errors: [shown] });
    },
  );

  it.each<JsonObject>([
    { level: 3 },
    { deviceType: 'android' },
    { channels: { $ne: 'a' } },
    { channels: { $in: ['a'], $exists: true } },
    { objectId: { $gt: 'a' } },
    { $and: [{ channels: 'a' }, { level: 3 }] },
    { $or: [{ channels: 'a' }] },
  ])('a push with the condition %j shows its status alone', (where) => {
    expect(clientPushView({ ...told, where }, vendors)).toEqual({ objectId: 'p1', status: 'done' });
  });

  it('a push to addresses that its sender listed shows its counts', () => {
    const listed = { ...told, where: { deviceType: 'android', vendor: 'mi' }, isToDevices: true };
    expect(clientPushView(listed, vendors)).toMatchObject({ devices: 2, miSuccesses: 1 });
  });
});

it('a cancelled push tells when that was, and how many devices were not sent to', () => {
  const channels = {
    mi: books({ matched: 5, accepted: 2, discarded: { cancelled: 3 } }),
    own: books({ matched: 4, discarded: { cancelled: 4 } }),
  };
  const cancelled = record({ channels, isCancelled: true, cancelledAt: START_MS + 1000 });
  expect(pushView(cancelled, vendors)).toMatchObject({
    ...{ status: 'done', cancelled: true, cancelledAt: '2026-01-02T03:04:06.678Z', notSent: 7 },
  });
  expect(pushView(record({ channels }), vendors)).not.toHaveProperty('notSent');
});
