import type { Store } from '@pushfleet/store';
import type { Attempt } from '../attempts';

/** Devices of a channel that wait for one reason. */
export interface WaitingDevices {
  readonly channel: string;
  readonly reason: string;
  readonly devices: number;
}

interface Ports {
  readonly store: Pick<Store, 'pushes' | 'waits'>;
  readonly attempt: Attempt;
}

/** Why the devices of some pushes wait, as their records tell it. */
export async function waitingDevices(
  { store: { pushes, waits }, attempt }: Ports,
  pushIds: readonly string[],
): Promise<readonly WaitingDevices[]> {
  const read = await Promise.all(pushIds.map((pushId) => attempt({ pushId }, () => pushes.read(pushId))));
  const records = await waits.tell(read.filter((record) => record !== undefined));
  const sums = new Map<string, WaitingDevices>();
  for (const { waiting = [] } of records) {
    // Every profile of a push tells of all devices that the push has left on the channel.
    const most = new Map<string, WaitingDevices>();
    for (const { channel, reason, devices } of waiting) {
      const name = `${channel} ${reason}`;
      most.set(name, { channel, reason, devices: Math.max(devices, most.get(name)?.devices ?? 0) });
    }
    for (const [name, each] of most)
      sums.set(name, { ...each, devices: each.devices + (sums.get(name)?.devices ?? 0) });
  }
  return [...sums.values()];
}
