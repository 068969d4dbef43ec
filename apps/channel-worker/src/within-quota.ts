import type { App } from '@pushfleet/domain';
import type { Quotas, WalkedDevice } from '@pushfleet/store';
import type { PageResult } from './page-calls';
import { refusal, type Verdict } from './verdict';

export interface QuotaPorts {
  readonly quotas: Pick<Quotas, 'takeDeliveries'>;
  onError(error: unknown): void;
}

export interface Quota {
  readonly app: Pick<App, 'id' | 'limits'>;
  readonly devices: readonly WalkedDevice[];
  /** Earlier calls for the devices that the vendor may have taken. */
  readonly unknowns: number;
}

/**
 * Sends to as many devices as the app may still reach today; the others are refused, in the order of the devices. Those that are to
 * be tried again are counted when they are.
 */
export async function withinQuota(
  { quotas, onError }: QuotaPorts,
  { app, devices, unknowns }: Quota,
  send: (devices: readonly WalkedDevice[]) => Promise<PageResult>,
): Promise<PageResult> {
  const { deliveriesPerDay } = app.limits;
  if (deliveriesPerDay === 0) return send(devices);
  const grant = await quotas.takeDeliveries(app.id, devices.length, deliveriesPerDay);
  const booksAs = unknowns > 0 ? 'unknown-outcome' : 'quota-exceeded';
  const refused = devices.slice(grant.devices).map(() => refusal(booksAs));
  if (grant.devices === 0) return { verdicts: refused };
  const result = await send(devices.slice(0, grant.devices));
  const open = result.verdicts.filter(isSentAgain).length;
  // Counted too high, the app reaches fewer devices; without the verdicts, those that have one would be sent to again.
  if (open > 0) await grant.giveBack(open).catch(onError);
  return { ...result, verdicts: [...result.verdicts, ...refused] };
}

/** Not a device that the call may have reached all the same. */
const isSentAgain = (verdict: Verdict | undefined): boolean =>
  verdict === undefined || (verdict.kind === 'deferred' && verdict.reason !== 'unknown-outcome');
