import type { JsonObject } from '@pushfleet/domain';
import type { Breaker, Control, ProfileOfChannel } from '@pushfleet/store';
import type { ConsolePorts } from './ports';
import type { ChannelDepths } from './queues';

type Ports = Pick<ConsolePorts, 'store' | 'channels'>;

/** A channel as its operator sees it: who works on it, what was decided, what is out of order, what waits. */
export async function channelView({ store, channels }: Ports, { channel, ...depths }: ChannelDepths) {
  const { pacing } = store;
  const [consumers, controls, breakers] = await Promise.all([
    pacing.workers.count(channel),
    pacing.controls.list(channel),
    pacing.breakers.list(channel),
  ]);
  return {
    channel,
    consumers,
    controls: controls.map(controlView),
    breakers: breakers.flatMap(({ breaker, ...of }) => breakerView(of, breaker)),
    budget: { ...channels.get(channel)?.budget },
    ...depths,
  };
}

const controlView = ({ since, ...control }: Control): JsonObject => ({ ...control, since: iso(since) });

/** Those that let calls through are left out. */
function breakerView({ app, profile }: ProfileOfChannel, breaker: Breaker): readonly JsonObject[] {
  if (breaker.state === 'closed') return [];
  const { state, since, probeAt, reason } = breaker;
  return [{ app, profile, state, since: iso(since), nextProbeAt: iso(probeAt), reason }];
}

const iso = (at: number): string => new Date(at).toISOString();
