import { CHANGES_PER_SAVE, type Json } from '@pushfleet/domain';
import { type SaveRequest } from '@pushfleet/store';
import { type AddressLimit, type CountByAddress } from './address-limit';
import { type ApiCall, type ApiEndpoint, type CountedAs } from './api-call';
import { type CountPush } from './call-limit';

export interface QuotaPorts {
  readonly countPush: CountPush;
  readonly countByAddress: CountByAddress;
}

const BY_ADDRESS: Readonly<Record<Exclude<CountedAs, 'push'>, AddressLimit>> = {
  save: 'savesPerSecond',
  query: 'queriesPerSecond',
};

/** The same endpoint for callers who have not used up what they may. */
export function withQuota(endpoint: ApiEndpoint, ports: QuotaPorts): ApiEndpoint {
  const { countsAs, callsOf } = endpoint;
  if (countsAs === undefined) return endpoint;
  return {
    ...endpoint,
    handle(call) {
      if (callsOf && !call.caller.isMaster) return counting(callsOf, call, ports).then(() => endpoint.handle(call));
      const counted = count(countsAs, call, ports);
      return counted ? counted.then(() => endpoint.handle(call)) : endpoint.handle(call);
    },
  };
}

async function counting(callsOf: (body: Json) => number, call: ApiCall, { countPush }: QuotaPorts): Promise<void> {
  await countPush(call.caller.app, false, callsOf(call.json()));
}

/** Saves and queries are limited for who has no more than the app; a caller whose address is not known is not counted. */
function count(countsAs: CountedAs, { caller, address }: ApiCall, ports: QuotaPorts): Promise<void> | undefined {
  const { app, isMaster } = caller;
  if (countsAs === 'push') return ports.countPush(app, isMaster);
  if (!isMaster && address !== undefined) ports.countByAddress(app, { limit: BY_ADDRESS[countsAs], address });
  return undefined;
}

/** A save that changes many channels takes as much of Redis as many saves: by the app key, it counts as so many (docs/adr/0064). */
export function chargeOf({ caller, address }: ApiCall, countByAddress: CountByAddress): SaveRequest['charge'] {
  const { app, isMaster } = caller;
  if (isMaster || address === undefined) return undefined;
  return (changes) => {
    const times = Math.ceil(changes / CHANGES_PER_SAVE);
    // It was counted once when it came.
    if (times > 1) countByAddress(app, { limit: 'savesPerSecond', address, times, counted: 1 });
  };
}
