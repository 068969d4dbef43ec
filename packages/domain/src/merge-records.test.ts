import { mergeRecords } from './merge-records';
import { imbalanceOf, type ChannelBooks, type PushRecord } from './push-record';

const column = (counts: Partial<ChannelBooks>): ChannelBooks => ({
  ...{ expected: 0, matched: 0, accepted: 0, delivered: 0, lapsed: 0, clicked: 0, truncated: 0 },
  ...{ discarded: {}, failed: {}, outstanding: 0 },
  ...counts,
});

const record = (fields: Partial<PushRecord>): PushRecord => ({
  ...{ objectId: 'a', app: 'app-1', notificationId: 'n', status: 'done', prod: 'prod', msg: {}, where: {} },
  ...{ createdAt: 1, updatedAt: 1, pushTime: 1, expiresAt: 10, channels: {}, errors: [] },
  ...fields,
});

const error = { channel: 'mi', reason: 'expired', count: 2, action: 'retry', samples: ['x', 'y'] } as const;

describe('mergeRecords', () => {
  it('has nothing to tell of no pushes', () => {
    expect(mergeRecords([])).toBeUndefined();
  });

  it('shows a push that is alone as it is', () => {
    const alone = record({ channels: { mi: column({ matched: 1, accepted: 1 }) } });
    expect(mergeRecords([alone])).toEqual(alone);
  });

  it('adds the books so that they still balance', () => {
    const a = record({ channels: { mi: column({ matched: 3, accepted: 1, discarded: { expired: 2 } }) } });
    const b = record({
      channels: {
        mi: column({ matched: 3, accepted: 1, discarded: { expired: 1 }, failed: { unreachable: 1 } }),
        own: column({ matched: 1, outstanding: 1 }),
      },
    });
    const merged = mergeRecords([a, b]);
    expect(merged?.channels['mi']).toEqual(
      column({ matched: 6, accepted: 2, discarded: { expired: 3 }, failed: { unreachable: 1 } }),
    );
    expect(Object.values(merged?.channels ?? {}).map(imbalanceOf)).toEqual([0, 0]);
  });

  it('counts the same error once, with each sample named once', () => {
    const merged = mergeRecords([record({ errors: [error] }), record({ errors: [{ ...error, samples: ['y', 'z'] }] })]);
    expect(merged?.errors).toEqual([{ ...error, count: 4, samples: ['x', 'y', 'z'] }]);
  });

  it('keeps errors apart that the vendor tells apart', () => {
    const merged = mergeRecords([record({ errors: [error] }), record({ errors: [{ ...error, vendorCode: '9' }] })]);
    expect(merged?.errors).toHaveLength(2);
  });

  it('is done when all are, and speaks in the name of the oldest', () => {
    const newer = record({ objectId: 'b', createdAt: 2, updatedAt: 9, expiresAt: 20, status: 'in-queue' });
    expect(mergeRecords([newer, record({})])).toEqual(
      record({ objectId: 'a', createdAt: 1, updatedAt: 9, expiresAt: 20, status: 'in-queue' }),
    );
  });

  it('waits as long as the slowest', () => {
    const merged = mergeRecords([record({ estimatedDoneAt: 7 }), record({ estimatedDoneAt: 9 }), record({})]);
    expect(merged?.estimatedDoneAt).toBe(9);
    expect(mergeRecords([record({}), record({})])).not.toHaveProperty('estimatedDoneAt');
  });
});

it('a warning of both is one, for the devices of both', () => {
  const warning = { channel: 'hms', message: 'badge', count: 2 };
  const other = { channel: 'honor', message: 'badge', count: 1 };
  const merged = mergeRecords([record({ warnings: [warning] }), record({ warnings: [warning, other] }), record({})]);
  expect(merged?.warnings).toEqual([{ ...warning, count: 4 }, other]);
});
