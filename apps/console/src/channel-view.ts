import type { JsonObject } from '@pushfleet/domain';
import {
  profileKey,
  type AppProfile,
  type Breaker,
  type CallsAllowed,
  type Control,
  type HeldPush,
  type VendorWait,
} from '@pushfleet/store';
import type { ConsolePorts } from './ports';
import type { ChannelDepths } from './queues';

type Ports = Pick<ConsolePorts, 'store' | 'channels' | 'now'>;

/** A channel as its operator sees it: who works on it, what was decided, what is out of order, what waits. */
export async function channelView({ store, channels, now }: Ports, { channel, ...depths }: ChannelDepths) {
  const { pacing } = store;
  const [consumers, controls, breakers, held, vendorWaits, callLimits] = await Promise.all([
    pacing.workers.count(channel),
    pacing.controls.list(channel),
    pacing.breakers.list(channel),
    pacing.pushHolds.list(channel),
    pacing.vendorWaits.list(channel, now()),
    pacing.callLimits.list(channel, now()),
  ]);
  return {
    channel,
    consumers,
    controls: controls.map(controlView),
    breakers: breakers.flatMap(({ breaker, ...of }) => breakerView(of, breaker)),
    heldPushes: held.flatMap((each) => heldView(each, now())),
    vendorWaits: vendorWaits.map(vendorWaitView),
    callLimits: callLimitViews(callLimits),
    budget: { ...channels.get(channel)?.budget },
    ...depths,
  };
}

const controlView = ({ since, ...control }: Control): JsonObject => ({ ...control, since: iso(since) });

/** Those that let calls through are left out. */
function breakerView({ app, profile }: AppProfile, breaker: Breaker): readonly JsonObject[] {
  if (breaker.state === 'closed') return [];
  const { state, since, probeAt, reason } = breaker;
  return [{ app, profile, state, since: iso(since), nextProbeAt: iso(probeAt), reason }];
}

/** Those that go on after their hour are left out. */
function heldView({ app, profile, pushId, hold }: HeldPush, now: number): readonly JsonObject[] {
  const { since, until, probeAt, vendorCode = null } = hold;
  if (until <= now) return [];
  const times = { since: iso(since), until: iso(until), nextProbeAt: iso(probeAt) };
  return [{ app, profile, pushId, reason: 'unrecognised-answer', vendorCode, ...times }];
}

const vendorWaitView = ({ app, profile, reason, until }: AppProfile & VendorWait): JsonObject => ({
  app,
  profile,
  reason,
  until: iso(until),
});

/** Those of all workers together. */
function callLimitViews(told: readonly CallsAllowed[]): readonly JsonObject[] {
  const found = new Map<string, JsonObject & { workers: number; allowed: number; latencyMs: number | null }>();
  for (const { app, profile, queue, allowed, latencyMs = null } of told) {
    const name = `${profileKey({ app, profile })} ${queue}`;
    const before = found.get(name) ?? { app, profile, queue, workers: 0, allowed: 0, latencyMs: null };
    const slower = Math.max(before.latencyMs ?? 0, latencyMs ?? 0) || null;
    found.set(name, {
      ...before,
      workers: before.workers + 1,
      allowed: before.allowed + allowed,
      latencyMs: slower,
    });
  }
  return [...found.values()];
}

const iso = (at: number): string => new Date(at).toISOString();
