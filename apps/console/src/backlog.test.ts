import type { ChannelBooks, PushRecord, RecordedWait } from '@pushfleet/domain';
import { backlogsOf } from './backlog';

const books = (of: Partial<ChannelBooks>): ChannelBooks => ({
  ...{ expected: 0, matched: 0, accepted: 0, delivered: 0, lapsed: 0, clicked: 0, truncated: 0, outstanding: 0 },
  ...{ discarded: {}, failed: {} },
  ...of,
});

const record = (
  channels: Readonly<Record<string, ChannelBooks>>,
  more: Partial<Pick<PushRecord, 'waiting' | 'estimatedDoneAt' | 'pushTime'>> = {},
) => ({ channels, pushTime: 1, ...more }) as PushRecord;

const wait = (profile: string, devices: number): RecordedWait => ({
  ...{ channel: 'mi', profile, reason: 'budget-spent', until: 9 },
  devices,
});

it('counts the devices without a verdict, by channel', () => {
  const mi = books({ expected: 100, matched: 60, accepted: 40, discarded: { expired: 5 }, failed: { unreachable: 5 } });
  const done = books({ expected: 10, matched: 10, accepted: 10 });
  // An addressed push may match more than its buckets had when it was planned.
  const direct = books({ matched: 3, accepted: 1, outstanding: 2 });
  expect(backlogsOf([record({ mi, hms: done }), record({ mi: direct })])).toEqual([
    { channel: 'mi', pushes: 2, waitsSince: 1, devices: 52, waiting: [] },
  ]);
});

it('tells when the last of them goes on, and counts a device once that waits with several profiles', () => {
  const mi = books({ expected: 10 });
  const [one, other] = [
    record({ mi }, { pushTime: 4, estimatedDoneAt: 7, waiting: [wait('a', 10), wait('b', 10)] }),
    record({ mi }, { pushTime: 3, estimatedDoneAt: 5, waiting: [wait('a', 4)] }),
  ];
  expect(backlogsOf([one, other])).toEqual([
    {
      ...{ channel: 'mi', pushes: 2, waitsSince: 3, devices: 20, estimatedDoneAt: 7 },
      waiting: [{ reason: 'budget-spent', pushes: 2, devices: 14, until: 9 }],
    },
  ]);
});

it('tells since when the push waits that waits longest, of those that have devices left on the channel', () => {
  const [some, none] = [books({ expected: 2, matched: 2 }), books({ expected: 2, matched: 2, accepted: 2 })];
  const records = [
    record({ mi: some, hms: none }, { pushTime: 20 }),
    record({ mi: none, hms: some }, { pushTime: 10 }),
    record({ mi: some }, { pushTime: 30 }),
  ];
  expect(backlogsOf(records)).toMatchObject([
    { channel: 'hms', waitsSince: 10 },
    { channel: 'mi', waitsSince: 20 },
  ]);
});

it('says nothing of channels with nothing to do', () => {
  expect(backlogsOf([record({ mi: books({ expected: 1, matched: 1, accepted: 1 }) }), record({})])).toEqual([]);
});
