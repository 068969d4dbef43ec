import { channels } from '@pushfleet/channels';
import { ChannelFault, type ChannelDeps } from '@pushfleet/channel-kit';
import { openTrials, type OpenedProfile } from './try-profiles';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const aProfile = (profile: string): OpenedProfile => ({
  ref: { app: 'app', channel: 'mi', profile },
  stored: { value: { appId: 'app', appSecret: 'secret', packageName: 'com.example.app' }, receiptKey: 'key' },
});

/** A vendor that is given up after nine seconds. */
const http: ChannelDeps['http'] = {
  request: () =>
    new Promise((_, reject) => setTimeout(() => reject(new ChannelFault('unreachable', 'no answer')), 9000)),
  close: () => Promise.resolve(),
};

it('answers after twenty seconds though vendors are being asked still, and says how many it left out', async () => {
  const deps = { http, tokens: { get: () => Promise.resolve('token'), drop: () => Promise.resolve() } };
  const vendors = { ...deps, now: Date.now, origins: {}, timeoutMs: 10_000 };
  const trials = openTrials({ channels: new Map(Object.entries(channels)), vendors, now: Date.now });
  const began = Date.now();
  let answeredAt = Infinity;
  const checks = trials(0)(Array.from({ length: 100 }, (_, i) => aProfile(`p${i}`)));
  void checks.finally(() => (answeredAt = Date.now()));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(answeredAt - began).toBeLessThanOrEqual(20_000);
  const untried = { status: 'warning', finding: '84 profiles were not tried for want of time' };
  expect((await checks).at(-1)).toMatchObject(untried);
  expect(await checks).toHaveLength(17);
});
