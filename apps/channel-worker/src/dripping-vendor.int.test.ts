import { channelNames, type ChannelName } from '@pushfleet/channels';
import { ChannelFault, type VendorRequest } from '@pushfleet/channel-kit';
import { sum } from '@pushfleet/domain';
import { until } from '@pushfleet/testing';
import { workersUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

const DEVICES = 30;
const LIFE_MS = 10_000;

/** An answer that never ends, until its caller ends the call; only to those that name a device of the slow app. */
async function drip(
  { body = '', isHarmless = false, signal }: VendorRequest,
  underWay: Set<VendorRequest>,
): Promise<void> {
  if (isHarmless || !decodeURIComponent(body).includes('slow-')) return;
  const call = { signal } as VendorRequest;
  underWay.add(call);
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  underWay.delete(call);
  throw new ChannelFault('unknown-outcome', 'DEADLINE');
}

async function twoApps(name: ChannelName): Promise<string> {
  const slow = await open(name);
  const other = await open(name, slow);
  const underWay = new Set<VendorRequest>();
  for (const worker of [slow, other]) worker.afterCall = (request) => drip(request, underWay);
  const ids = (prefix: string) => Array.from({ length: DEVICES }, (_, i) => `${prefix}-${i}`);
  const [stuckDevices, devices] = [await slow.register(ids('slow')), await other.register(ids('fine'))];
  const wish = { expiresInMs: LIFE_MS };
  const stuck = await Promise.all([
    ...[slow.pushToAll(wish), slow.pushToAll(wish)],
    ...stuckDevices.slice(0, 10).map((device) => slow.pushTo([device], wish)),
  ]);
  await until(() => underWay.size > 0, { timeoutMs: 20_000 });
  const pushes = await Promise.all([other.pushToAll(), other.pushTo(devices.slice(0, 1))]);
  const accepted = await Promise.all(pushes.map(async (pushId) => (await other.done(pushId, 30_000)).accepted));
  const ends = await Promise.all(stuck.map((pushId) => slow.done(pushId, 40_000)));
  const lost = ends.map(
    ({ matched, accepted: taken, failed, discarded }) => matched - taken - sum(failed) - sum(discarded),
  );
  const calls = underWay.size;
  return [name, ...accepted, `${calls} under way`, `${lost.reduce((a, b) => a + b, 0)} without an end`].join(', ');
}

/** Several at once, because each takes as long as its pushes live. */
const half = channelNames.length / 2;

test.concurrent.each([[channelNames.slice(0, half)], [channelNames.slice(half)]])(
  '%j that never end their answers hold up neither another app of the channel nor the end of the push',
  async (names) => {
    const found = await Promise.all(names.map(twoApps));
    expect(found).toEqual(names.map((name) => `${name}, ${DEVICES}, 1, 0 under way, 0 without an end`));
  },
);
