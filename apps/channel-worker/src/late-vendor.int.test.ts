import { channelNames, channels, type ChannelName } from '@pushfleet/channels';
import { ChannelFault, type VendorRequest } from '@pushfleet/channel-kit';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const open = workersUnderTest();

interface LateVendor {
  readonly worker: WorkerUnderTest;
  readonly objectIds: readonly string[];
  /** The vendor's key of each call that reached devices and got no answer. */
  readonly unanswered: string[];
}

/** What the vendors that do so tell repeats by, whatever else has changed meanwhile. */
function keyOf(body: string): string {
  const text = decodeURIComponent(body.replaceAll('+', ' '));
  return /(?:requestId|extra\.jobkey|app_message_id)"?[:=]"?([^"&,}]+)/.exec(text)?.[1] ?? '';
}

/** A vendor that takes every message and answers after the deadline, as often as it is told to. */
async function lateVendor(
  name: ChannelName,
  { devices, times }: { devices: number; times: number },
): Promise<LateVendor> {
  const worker = await open(name);
  const objectIds = await worker.register(Array.from({ length: devices }, (_, i) => `r-${i}`));
  await worker.done(await worker.pushTo(objectIds.slice(0, 1)));
  const unanswered: string[] = [];
  worker.afterCall = async ({ body = '', isHarmless = false }: VendorRequest) => {
    if (isHarmless || unanswered.length === times) return;
    unanswered.push(keyOf(body));
    throw new ChannelFault('unknown-outcome', 'DEADLINE');
  };
  return { worker, objectIds, unanswered };
}

const deduplicates = (name: ChannelName, devices: number): boolean => {
  const kind = channels[name].capabilities.deduplicates;
  return kind === 'every-call' || (kind === 'single-device' && devices === 1);
};

test.each(channelNames)('a campaign over a late %s: nobody has it twice', async (name) => {
  const { worker, unanswered } = await lateVendor(name, { devices: 50, times: 1 });
  const pushId = await worker.pushToAll({ lanes: 1 });
  const { matched, accepted, failed } = await worker.done(pushId);
  const sent = worker.sent(pushId);
  if (deduplicates(name, 50)) {
    // The vendor tells by its key that it has the call already.
    expect([accepted, unanswered.length]).toEqual([50, 1]);
    const again = worker.http.requests.filter(({ body }) => keyOf(body) === unanswered[0]);
    expect(again.length).toBeGreaterThanOrEqual(2);
  } else {
    expect([matched, accepted + (failed['unknown-outcome'] ?? 0)]).toEqual([50, 50]);
    expect([sent.length, new Set(sent).size]).toEqual([50, 50]);
  }
});

/** So often late that the breaker opens, and its probes are late too. */
const PAST_THE_BREAKER = 6;

test.each(['audience', 'addressed'] as const)(
  'a vendor that tells repeats by the call is asked for the same calls when its breaker is open (%s)',
  async (kind) => {
    const { worker, objectIds, unanswered } = await lateVendor('vivo', { devices: 50, times: PAST_THE_BREAKER });
    const pushId = kind === 'audience' ? await worker.pushToAll({ lanes: 1 }) : await worker.pushTo(objectIds);
    expect(await worker.done(pushId, 90_000)).toMatchObject({ accepted: 50, failed: {} });
    expect(unanswered).toHaveLength(PAST_THE_BREAKER);
    const sent = worker.sent(pushId);
    expect([sent.length, new Set(sent).size]).toEqual([50, 50]);
  },
);

test.each(channelNames)('an addressed push over a late %s: two calls at most, or the same one again', async (name) => {
  const times = deduplicates(name, 1) ? 2 : Infinity;
  const { worker, objectIds, unanswered } = await lateVendor(name, { devices: 1, times });
  const pushId = await worker.pushTo(objectIds);
  const { accepted, failed } = await worker.done(pushId);
  if (deduplicates(name, 1)) {
    expect([accepted, failed]).toEqual([1, {}]);
    expect(new Set(unanswered).size).toBe(1);
  } else {
    expect(failed).toEqual({ 'unknown-outcome': 1 });
    expect(worker.sent(pushId).length).toBeLessThanOrEqual(2);
  }
});
