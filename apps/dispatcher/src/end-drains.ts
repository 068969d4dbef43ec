import type { Control, Store } from '@pushfleet/store';
import type { Attempt } from './attempts';
import { openUpkeepLease } from './upkeep-lease';

export interface EndDrainsPorts {
  readonly store: {
    readonly pacing: { readonly controls: Pick<Store['pacing']['controls'], 'list' | 'endDrain'> };
    readonly leases: Pick<Store['leases'], 'hold'>;
    readonly countOpenWork: Store['countOpenWork'];
  };
  /** Every channel that can be drained. */
  readonly channels: Iterable<string>;
  readonly attempt: Attempt;
  readonly onDrained: (drained: Drained) => void;
}

export interface Drained {
  readonly channel: string;
  readonly control: Control;
}

/** Pauses a drained scope as soon as no earlier push is left. */
export function openDrainEnds(ports: EndDrainsPorts): () => Promise<void> {
  const { attempt, store } = ports;
  const { controls } = store.pacing;
  const holdLease = openUpkeepLease(store.leases, 'end-drains');

  async function endOf(channel: string, control: Control): Promise<void> {
    const { app, since } = control;
    const { pushes, isComplete } = await store.countOpenWork({ channel, app, until: since }, 1);
    if (pushes > 0 || !isComplete) return;
    if (await controls.endDrain(channel, control)) ports.onDrained({ channel, control });
  }

  return async () => {
    if (!(await holdLease())) return;
    for (const channel of ports.channels) {
      const all = await attempt({ channel }, () => controls.list(channel));
      for (const control of all?.filter(({ state }) => state === 'draining') ?? [])
        await attempt({ channel, app: control.app }, () => endOf(channel, control));
    }
  };
}
