import type { Capabilities } from '@pushfleet/channel-kit';
import type { RepeatUnknown } from '@pushfleet/domain';

/** The settings of a profile and its channel for calls that the vendor may have taken. */
export interface RepeatPolicy {
  readonly repeatUnknown: RepeatUnknown;
  readonly deduplicates: Capabilities['deduplicates'];
}

export interface UnknownCall {
  readonly isSilent: boolean;
  readonly isAddressed: boolean;
  readonly devices: number;
  /** Earlier calls for these devices that the vendor may have taken. */
  readonly unknowns: number;
}

/** Whether a call that the vendor may have taken is made again: a repeat alerts a person twice. */
export function mayRepeat({ repeatUnknown, deduplicates }: RepeatPolicy, call: UnknownCall): boolean {
  if (repeatUnknown === 'never') return false;
  if (repeatUnknown === 'once') return call.unknowns === 0;
  const isTakenOnce = deduplicates === 'every-call' || (deduplicates === 'single-device' && call.devices === 1);
  // A lost one-time password is worse than one that is shown twice.
  return call.isSilent || isTakenOnce || (call.isAddressed && call.unknowns === 0);
}
