import { channelsText } from './channel';

const quiet = {
  ...{ channel: 'mi', consumers: 2, controls: [], breakers: [], heldPushes: [], vendorWaits: [], callLimits: [] },
  direct: { waiting: 1, active: 2, delayed: 3 },
  bulk: { waiting: 4, active: 5 },
};

it('a channel that nothing stops shows its queues only', () => {
  expect(channelsText([quiet])).toBe(
    [
      'CHANNEL  QUEUE   WAITING  ACTIVE  DELAYED  WORKERS',
      'mi       direct        1       2        3        2',
      'mi       bulk          4       5        0        2',
      '',
    ].join('\n'),
  );
});

it('the calls that profiles may have in flight stand below', () => {
  const limit = { app: 'a', profile: 'p', queue: 'bulk', workers: 2, allowed: 84, latencyMs: 200 };
  const text = channelsText([{ ...quiet, callLimits: [limit, { ...limit, queue: 'direct', latencyMs: null }] }]);
  expect(text).toMatch(/^CHANNEL +QUEUE +APP +PROFILE +CALLS ALLOWED +LATENCY MS +WORKERS$/m);
  expect(text).toMatch(/^mi +bulk +a +p +84 +200 +2$/m);
  expect(text).toMatch(/^mi +direct +a +p +84 +- +2$/m);
});

it('what stops a channel stands below', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const breaker = { state: 'open', app: 'a', profile: 'p', since, reason: 'unreachable', nextProbeAt: since };
  const text = channelsText([{ ...quiet, controls: [{ state: 'paused', since }], breakers: [breaker] }]);
  expect(text).toMatch(/^mi +paused +all +all +2026-01-01T00:00:00.000Z$/m);
  expect(text).toMatch(/^mi +breaker open +a +p +2026-01-01T00:00:00.000Z +unreachable +2026/m);
});

it('pushes that wait for a known answer stand below too, and profiles that a vendor asked to wait', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const times = { since, nextProbeAt: since };
  const held = { app: 'a', profile: 'p', pushId: 'x1', reason: 'unrecognised-answer', vendorCode: '7', ...times };
  const asked = { app: 'a', profile: 'p', reason: 'throttled', until: since };
  const text = channelsText([{ ...quiet, heldPushes: [held], vendorWaits: [asked] }]);
  expect(text).toMatch(/^mi +push x1 waits +a +p +2026\S+ +unrecognised-answer 7 +2026/m);
  expect(text).toMatch(/^mi +vendor asked to wait +a +p +- +throttled +2026/m);
});
