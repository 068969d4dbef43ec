import type { Budget } from '@pushfleet/domain';
import { evenPace, type PushToSend } from '@pushfleet/store';
import type { RateUse } from './rates';

export interface PageToSend {
  readonly push: Pick<PushToSend, 'pushId' | 'app' | 'flowControl' | 'overBudget'>;
  readonly channel: string;
  readonly profile: string;
  readonly devices: number;
  /** Of the vendor, for these devices. */
  readonly calls: number;
  readonly queue: 'direct' | 'bulk';
  /** The job that comes back when the page has to wait. */
  readonly waiter: string;
}

/** The rates that one page must keep to, those of its vendor first. */
export function ratesOf(page: PageToSend, { requestsPerSecond, devicesPerSecond }: Budget): readonly RateUse[] {
  const { push, channel, profile, devices, calls, queue, waiter } = page;
  const uses: RateUse[] = [];
  const of = { app: push.app, channel, profile };
  const job = { queue, waiter };
  if (requestsPerSecond !== undefined)
    uses.push({ rate: { kind: 'requests', ...of }, perSecond: requestsPerSecond, ...job, cost: calls });
  if (devicesPerSecond !== undefined)
    uses.push({ rate: { kind: 'devices', ...of }, perSecond: devicesPerSecond, ...job, cost: devices });
  if (push.flowControl !== undefined)
    uses.push({ rate: { kind: 'push', pushId: push.pushId }, perSecond: push.flowControl, ...job, cost: devices });
  return uses;
}

/** Devices per second that pages like this one come to at most. */
export const devicesPerSecond = ({ devices }: PageToSend, uses: readonly RateUse[]): number =>
  Math.min(...uses.map(({ perSecond, cost }) => (evenPace(perSecond) * devices) / cost));
