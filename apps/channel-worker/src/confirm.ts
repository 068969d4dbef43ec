import { isAtAddress, OWN_CHANNEL } from '@pushfleet/domain';
import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import type { PushToSend, Store, WalkedDevice } from '@pushfleet/store';
import type { Verdict } from './verdict';

/** Accepted devices are gathered for so long before they are confirmed. */
const CONFIRM_EVERY_MS = 1000;

type Ports = Pick<Store, 'confirmations'>;

/** What became of some devices of a push. */
export interface Taken {
  readonly push: Pick<PushToSend, 'app'>;
  /** In the books. */
  readonly channel: string;
  readonly devices: readonly WalkedDevice[];
  /** In the order of the devices. */
  readonly verdicts: readonly Verdict[];
}

export const startConfirming = ({ confirmations }: Ports, log: Pick<Logger, 'warn'>): Repeated =>
  repeat(
    CONFIRM_EVERY_MS,
    () => confirmations.flush(),
    (err) => log.warn({ err }, 'devices could not be confirmed; their next push does'),
  );

/** A message that a vendor accepted confirms its devices. The own channel accepts messages for any device, which proves nothing. */
export function confirmTaken({ confirmations }: Ports, { push: { app }, channel, devices, verdicts }: Taken): void {
  if (channel === OWN_CHANNEL) return;
  const [named, known]: [string[], string[]] = [[], []];
  devices.forEach((device, i) => {
    if (verdicts[i]?.kind === 'accepted') (isAtAddress(device) ? named : known).push(device.objectId);
  });
  if (named.length > 0) confirmations.note(app, 'registrationId', named);
  if (known.length > 0) confirmations.note(app, 'objectId', known);
}
