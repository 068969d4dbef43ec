import { OWN_CHANNEL } from '@pushfleet/domain';
import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import type { Store, WalkedDevice } from '@pushfleet/store';
import type { Settlement } from './settle';

/** What vendors took is gathered for so long, before it is noted which devices they know. */
const CONFIRM_EVERY_MS = 1000;

type Ports = Pick<Store, 'confirmations'>;

export const startConfirming = ({ confirmations }: Ports, log: Pick<Logger, 'warn'>): Repeated =>
  repeat(
    CONFIRM_EVERY_MS,
    () => confirmations.flush(),
    (err) => log.warn({ err }, 'devices could not be confirmed; their next push does'),
  );

/** A vendor has taken a message for them; the own channel takes one for whoever says that it exists. */
export function confirmTaken(
  { confirmations }: Ports,
  { push: { app }, channel, devices, verdicts }: Pick<Settlement, 'push' | 'channel' | 'devices' | 'verdicts'>,
): void {
  if (channel === OWN_CHANNEL) return;
  const [named, known]: [string[], string[]] = [[], []];
  devices.forEach((device, i) => {
    if (verdicts[i]?.kind === 'accepted') (isNamed(device) ? named : known).push(device.objectId);
  });
  if (named.length > 0) confirmations.note(app, 'registrationId', named);
  if (known.length > 0) confirmations.note(app, 'objectId', known);
}

/** Pushed to by its registrationId, which is all that the sender knew of it. */
const isNamed = ({ objectId, registrationId }: WalkedDevice): boolean => objectId === registrationId;
