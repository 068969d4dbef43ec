import { BoundedMap, isStillAhead, type App } from '@pushfleet/domain';
import { type CallsBy, type Quotas } from '@pushfleet/store';
import { Refusal } from './problem';

/**
 * Counts a push of an app, as one call unless it says as how many. Undefined at once, or a promise that rejects when the app
 * has used up its minute.
 */
export type CountPush = (
  app: Pick<App, 'id' | 'limits'>,
  isMaster: boolean,
  calls?: number,
) => Promise<void> | undefined;

interface Lease {
  calls: number;
  readonly until: number;
}

interface Minute {
  readonly app: string;
  readonly by: CallsBy;
  readonly perMinute: number;
}

/** Part of a minute's calls that a process takes at a time, so that few calls cost a round trip. */
const LEASES_PER_MINUTE = 50;
const MAX_LEASES = 10_000;
const MINUTE_MS = 60_000;

/**
 * Pushes per minute, counted for all processes together. Those by the app key and those by the master key are apart:
 * whoever has the app may use up the ones, and the app's own server goes on.
 */
export function openCallLimit({ takeCalls }: Pick<Quotas, 'takeCalls'>, now: () => number): CountPush {
  const leases = new BoundedMap<string, Lease>(MAX_LEASES);
  const taking = new Map<string, Promise<void>>();

  async function take(key: string, minute: Minute): Promise<void> {
    const want = Math.max(1, Math.floor(minute.perMinute / LEASES_PER_MINUTE));
    const { calls, ms } = await takeCalls(minute, want);
    leases.set(key, { calls: calls > 0 ? calls : -1, until: now() + ms });
  }

  /** True when the call is counted, false when the app must take calls first. */
  function spend(key: string, minute: Minute): boolean {
    const lease = leases.get(key);
    if (!lease || !isStillAhead(lease.until, now(), MINUTE_MS) || lease.calls === 0) return false;
    if (lease.calls < 0) throw tooManyPushes(minute, lease.until - now());
    lease.calls -= 1;
    return true;
  }

  async function takeAndSpend(key: string, minute: Minute): Promise<void> {
    while (!spend(key, minute)) {
      const taken = taking.get(key) ?? take(key, minute).finally(() => taking.delete(key));
      taking.set(key, taken);
      await taken;
    }
  }

  async function spendAll(key: string, minute: Minute, calls: number): Promise<void> {
    for (let i = 0; i < calls; i += 1) if (!spend(key, minute)) await takeAndSpend(key, minute);
  }

  return ({ id, limits }, isMaster, calls = 1) => {
    const perMinute = isMaster ? limits.masterCallsPerMinute : limits.callsPerMinute;
    if (perMinute === 0) return undefined;
    const key = isMaster ? `${id} master` : id;
    const minute: Minute = { app: id, by: isMaster ? 'master-key' : 'app-key', perMinute };
    if (calls === 1) return spend(key, minute) ? undefined : takeAndSpend(key, minute);
    // One push that counts as more than a minute has would never be taken.
    return spendAll(key, minute, Math.min(calls, perMinute));
  };
}

function tooManyPushes({ by, perMinute }: Minute, ms: number): Refusal {
  const [name, key] = by === 'master-key' ? ['masterCallsPerMinute', 'master key'] : ['callsPerMinute', 'app key'];
  const message = `limits.${name}: at most ${perMinute} pushes a minute with the ${key}; the app is served again later.`;
  return new Refusal('too-many-calls', message, Math.ceil(ms / 1000));
}
