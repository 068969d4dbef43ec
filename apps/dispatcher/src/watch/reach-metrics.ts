import type { Unseen } from '@pushfleet/store';
import type { AudienceSize } from './audience';
import type { ShownGauge } from './shown-gauges';
import type { WaitingDevices } from './waiting-devices';

/** Who can be reached, and who waits. */
export interface ReachView {
  readonly unseen: Unseen;
  readonly waiting: readonly WaitingDevices[];
  /** Undefined while some app was not counted yet. */
  readonly audience: readonly AudienceSize[] | undefined;
}

export const REACH: readonly ShownGauge<{ readonly reached: ReachView }>[] = [
  {
    name: 'pushfleet_installations_unseen',
    help: 'Installations that are no targets because they were not updated for long, by state: kept, or ending (of these, removed within 30 days); as the last daily sweep of each app found them.',
    labelNames: ['state'],
    rows: ({ reached: { unseen } }) => (['kept', 'ending'] as const).map((state) => [{ state }, unseen[state]]),
  },
  {
    name: 'pushfleet_channel_devices_waiting',
    help: 'Devices that are not being sent at the moment, by reason; of the 200 open pushes with the most devices left.',
    labelNames: ['channel', 'reason'],
    rows: ({ reached }) => reached.waiting.map(({ channel, reason, devices }) => [{ channel, reason }, devices]),
  },
  {
    name: 'pushfleet_installations',
    help: 'Installations of all apps by channel, or by what keeps them from one (ios, unknown, unregistered), and state: target, retired (the vendor called the registration dead), or unreachable.',
    labelNames: ['channel', 'state'],
    rows: ({ reached: { audience = [] } }) => audience.map(({ channel, state, count }) => [{ channel, state }, count]),
  },
];
