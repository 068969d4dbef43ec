import type { Metrics } from '@pushfleet/service-kit';
import type { Unseen } from '@pushfleet/store';
import type { AudienceSize } from './audience';
import type { WaitingDevices } from './waiting-devices';

/** Who can be reached, and who waits. */
export interface ReachView {
  readonly unseen: Unseen;
  readonly waiting: readonly WaitingDevices[];
  /** Undefined while some app was not counted yet. */
  readonly audience: readonly AudienceSize[] | undefined;
}

export function reachMetrics({ gauge }: Pick<Metrics, 'gauge'>) {
  const unseenInstallations = gauge({
    name: 'pushfleet_installations_unseen',
    help: 'Installations that are no targets because they were not updated for long, by state: kept, or ending (of these, removed within 30 days); as the last daily sweep of each app found them.',
    labelNames: ['state'],
  });
  const waitingDevices = gauge({
    name: 'pushfleet_channel_devices_waiting',
    help: 'Devices that are not being sent at the moment, by reason; of the 200 open pushes with the most devices left.',
    labelNames: ['channel', 'reason'],
  });
  const installations = gauge({
    name: 'pushfleet_installations',
    help: 'Installations of all apps by channel, or by what keeps them from one (ios, unknown, unregistered), and state: target, retired (the vendor called the registration dead), or unreachable.',
    labelNames: ['channel', 'state'],
  });
  return {
    all: [unseenInstallations, waitingDevices, installations],
    show({ unseen, waiting, audience = [] }: ReachView): void {
      for (const state of ['kept', 'ending'] as const) unseenInstallations.set({ state }, unseen[state]);
      for (const { channel, reason, devices } of waiting) waitingDevices.set({ channel, reason }, devices);
      for (const { channel, state, count } of audience) installations.set({ channel, state }, count);
    },
  };
}
