import { type App } from '@pushfleet/domain';
import { type Quotas } from '@pushfleet/store';
import { Refusal } from './problem';

/** Counts a call of an app. Undefined at once, or a promise that rejects when the app has used up its minute. */
export type CountCall = (app: Pick<App, 'id' | 'limits'>) => Promise<void> | undefined;

interface Lease {
  calls: number;
  readonly until: number;
}

/** Part of a minute's calls that a process takes at a time, so that few calls cost a round trip. */
const LEASES_PER_MINUTE = 50;
const MAX_APPS = 10_000;

/** Calls per minute, counted for all processes together. */
export function openCallLimit({ takeCalls }: Pick<Quotas, 'takeCalls'>, now: () => number): CountCall {
  const leases = new Map<string, Lease>();
  const taking = new Map<string, Promise<void>>();

  async function take(id: string, perMinute: number): Promise<void> {
    const { calls, ms } = await takeCalls(id, Math.max(1, Math.floor(perMinute / LEASES_PER_MINUTE)), perMinute);
    if (leases.size > MAX_APPS) leases.clear();
    leases.set(id, { calls: calls > 0 ? calls : -1, until: now() + ms });
  }

  /** True when the call is counted, false when the app must take calls first. */
  function spend(id: string): boolean {
    const lease = leases.get(id);
    if (!lease || lease.until <= now() || lease.calls === 0) return false;
    if (lease.calls < 0) throw tooManyCalls(lease.until - now());
    lease.calls -= 1;
    return true;
  }

  async function takeAndSpend(id: string, perMinute: number): Promise<void> {
    while (!spend(id)) {
      const taken = taking.get(id) ?? take(id, perMinute).finally(() => taking.delete(id));
      taking.set(id, taken);
      await taken;
    }
  }

  return ({ id, limits: { callsPerMinute } }) => {
    if (callsPerMinute === 0 || spend(id)) return undefined;
    return takeAndSpend(id, callsPerMinute);
  };
}

const tooManyCalls = (ms: number): Refusal =>
  new Refusal('too-many-calls', 'Too many calls in a minute; the app is served again later.', Math.ceil(ms / 1000));
