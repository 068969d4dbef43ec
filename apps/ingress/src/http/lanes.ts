import { type App } from '@pushfleet/domain';
import { FairGate, type GateLimits } from '@pushfleet/service-kit';
import { type Caller } from './authenticate';

/** Kinds of work, by what they cost. */
export type Lane = 'call' | 'query' | 'batch' | 'element';

/** Places of one process. A query that waits for its turn is refused at its deadline like any other. */
const PLACES: Readonly<Record<Lane, GateLimits>> = {
  call: { atOnce: 2048, perAccount: 256 },
  // Each may keep the process to itself for a few milliseconds at a time.
  query: { atOnce: 8, perAccount: 2 },
  batch: { atOnce: 16, perAccount: 2 },
  // One envelope of pushes.
  element: { atOnce: 128, perAccount: 64 },
};

/** Runs work of a caller when it is the turn of its account. */
export type RunInLane = <T>(
  lane: Lane,
  call: { readonly caller: Caller; signal(): AbortSignal },
  work: () => Promise<T>,
) => Promise<T>;

interface Account extends Pick<Caller, 'isMaster'> {
  readonly app: Pick<App, 'id'>;
}

/** The app key and the master key of one app are two accounts: whoever has the app does not delay its server. */
export const accountOf = ({ app, isMaster }: Account): string => (isMaster ? `${app.id},master` : app.id);

export function openLanes(): RunInLane {
  const gates: Readonly<Record<Lane, FairGate>> = {
    call: new FairGate(PLACES.call),
    query: new FairGate(PLACES.query),
    batch: new FairGate(PLACES.batch),
    element: new FairGate(PLACES.element),
  };
  return (lane, call, work) => gates[lane].run(accountOf(call.caller), work, () => call.signal());
}
