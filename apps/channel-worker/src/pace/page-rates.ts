import { costsOf, type Budget } from '@pushfleet/domain';
import { secondsFor, type PushToSend } from '@pushfleet/store';
import type { RateUse } from './rates';

/** A page, as far as rates are concerned. */
export interface PacedPage {
  readonly push: Pick<PushToSend, 'pushId' | 'app' | 'flowControl' | 'overBudget'>;
  readonly channel: string;
  readonly profile: string;
  readonly devices: number;
  /** Of the vendor, for these devices. */
  readonly calls: number;
  readonly queue: 'direct' | 'bulk';
  /** An earlier call for these devices was refused because the quota of the profile is spent. */
  readonly isOverQuota?: boolean;
  /** The job that comes back when the page has to wait. */
  readonly waiter: string;
}

/** The rates that one page must keep to, those of its vendor first. */
export function ratesOf(page: PacedPage, budget: Budget): readonly RateUse[] {
  const { push, channel, profile, devices, calls, queue, waiter } = page;
  const of = { app: push.app, channel, profile };
  return costsOf(budget, { calls, devices, flowControl: push.flowControl }).map(({ kind, perSecond, cost }) => ({
    rate: kind === 'push' ? { kind, pushId: push.pushId, channel } : { kind, ...of },
    perSecond,
    queue,
    waiter,
    cost,
  }));
}

/** Devices per second that pages like this one come to at most. */
export const devicesPerSecond = ({ devices }: PacedPage, uses: readonly RateUse[]): number =>
  devices / secondsFor(uses);
