import type { PushOfProfile, SlowCalls, SlowCallStore } from '@pushfleet/store';

export interface CallsUnderWayPorts {
  readonly store: SlowCallStore;
  readonly channel: string;
  readonly worker: string;
  /** No call takes longer. */
  readonly longestCallMs: number;
  readonly now: () => number;
}

interface OpenCall {
  readonly of: PushOfProfile;
  readonly devices: number;
  readonly since: number;
}

/** Shorter calls end before a reader could see them. */
const SLOW_MS = 1000;

/** The vendor calls of this process. Long ones are written to Redis, so that the records of their pushes show them. */
export class CallsUnderWay {
  private readonly open = new Set<OpenCall>();
  private hasTold = false;

  constructor(private readonly ports: CallsUnderWayPorts) {}

  /** The returned function ends the call. */
  begin(of: PushOfProfile, devices: number): () => void {
    const call = { of, devices, since: this.ports.now() };
    this.open.add(call);
    return () => void this.open.delete(call);
  }

  async tell(): Promise<void> {
    const { store, channel, worker, now } = this.ports;
    const calls = this.slow(now() - SLOW_MS);
    if (calls.length === 0 && !this.hasTold) return;
    this.hasTold = calls.length > 0;
    await store.tell(channel, worker, { at: now(), calls });
  }

  private slow(before: number): readonly SlowCalls[] {
    const byPush = new Map<string, SlowCalls>();
    for (const { of, devices, since } of this.open) {
      if (since > before) continue;
      const name = `${of.pushId}/${of.profile}`;
      const known = byPush.get(name) ?? { ...of, devices: 0, until: 0 };
      const until = Math.max(known.until, since + this.ports.longestCallMs);
      byPush.set(name, { ...known, until, devices: known.devices + devices });
    }
    return [...byPush.values()];
  }
}
