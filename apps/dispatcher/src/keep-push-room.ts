import { HalfPace, type Logger } from '@pushfleet/service-kit';
import type { Store } from '@pushfleet/store';
import { openUpkeepLease } from './upkeep-lease';

export interface PushRoomPorts {
  readonly store: Pick<Store, 'pushRoom' | 'leases'> & { readonly apps: Pick<Store['apps'], 'count'> };
  readonly stopping: AbortSignal;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

/** Nobody is left room for. */
const NO_CEILING = 0;

/** Each call looks whether the open pushes of an app leave others too little room, which keeps it from sending more. */
export function openPushRoomKeeper(
  { store, stopping, log }: PushRoomPorts,
  maxBytes: number | undefined,
): () => Promise<void> {
  const isMine = openUpkeepLease(store.leases, 'room of open pushes');
  const pace = new HalfPace();
  let known: ReadonlySet<string> = new Set();
  return async () => {
    if (!(await isMine())) return;
    const isAlone = (await store.apps.count()) <= 1;
    const full = await store.pushRoom.look({
      maxBytes: isAlone ? NO_CEILING : maxBytes,
      stopping,
      portion: (work) => pace.portion(work),
    });
    if (!full) return;
    for (const [app, { bytes, ceiling }] of full)
      if (!known.has(app)) log.error({ app, bytes, ceiling }, 'open pushes of an app fill Redis: it may send no more');
    for (const app of known) if (!full.has(app)) log.info({ app }, 'an app may send pushes again');
    known = new Set(full.keys());
  };
}
