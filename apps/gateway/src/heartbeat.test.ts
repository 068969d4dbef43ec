import type { GatewayStore } from '@pushfleet/store';
import { startHeartbeat } from './heartbeat';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A store that answers beats when it is told to. */
function aStore() {
  const beats: (() => void)[] = [];
  const open = new Set<object>();
  let isAway = false;
  const gateways: Pick<GatewayStore, 'beat' | 'listen' | 'leave'> = {
    beat: () => (isAway ? new Promise((resolve) => beats.push(() => resolve())) : Promise.resolve()),
    listen: async () => {
      const one = {};
      open.add(one);
      return () => void open.delete(one);
    },
    leave: () => Promise.resolve(),
  };
  return {
    gateways: gateways as GatewayStore,
    open,
    beats,
    leaves: () => void (isAway = true),
    returns: () => {
      isAway = false;
      beats.forEach((answer) => answer());
    },
  };
}

test('after an outage of many beats there is one listener, and one gap was told', async () => {
  const store = aStore();
  let gaps = 0;
  const quiet = () => undefined;
  const heartbeat = await startHeartbeat({
    ...{ gateways: store.gateways, node: 'n', urls: [], now: Date.now, onHint: quiet, onError: quiet },
    onGap: () => void (gaps += 1),
  });
  store.leaves();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(store.beats).toHaveLength(1);
  store.returns();
  await jest.advanceTimersByTimeAsync(0);
  expect([store.open.size, gaps]).toEqual([1, 1]);
  await heartbeat.stop();
  expect(store.open.size).toBe(0);
});
