import type { App } from '@pushfleet/domain';
import type { Quotas, WalkedDevice } from '@pushfleet/store';
import type { PageResult } from './page-calls';
import { refusal } from './send-batch';

export interface Quota {
  readonly app: Pick<App, 'id' | 'limits'>;
  readonly devices: readonly WalkedDevice[];
  /** A device that is tried again was counted the first time. */
  readonly tries: number;
}

/** Sends to as many devices as the app may still reach today; the others are refused, in the order of the devices. */
export async function withinQuota(
  { takeDeliveries }: Pick<Quotas, 'takeDeliveries'>,
  { app, devices, tries }: Quota,
  send: (devices: readonly WalkedDevice[]) => Promise<PageResult>,
): Promise<PageResult> {
  const { deliveriesPerDay } = app.limits;
  if (deliveriesPerDay === 0 || tries > 0) return send(devices);
  const granted = await takeDeliveries(app.id, devices.length, deliveriesPerDay);
  if (granted === devices.length) return send(devices);
  const refused = devices.slice(granted).map(() => refusal('quota-exceeded'));
  if (granted === 0) return { verdicts: refused };
  const result = await send(devices.slice(0, granted));
  return { ...result, verdicts: [...result.verdicts, ...refused] };
}
