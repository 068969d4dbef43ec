import { DISCARD_POLICY, type Advice, type DiscardReason, type ReasonText } from '../reasons';
import type { JsonObject } from '../json';
import { ownRefusal } from '../own-message';
import { profileOf } from '../profile';
import { OWN_CHANNEL, type RouteBucket } from '../route';
import type { FateOf } from './fate-of';

/** Why a device is no target of any push. */
const NO_TARGET_TEXTS = {
  'not-valid': {
    means: 'The installation was saved with `valid: false`.',
    remedy: 'Save it with `valid: true`, by the master key.',
  },
  stale: {
    means: 'The installation was not updated for so long that its app counts as removed.',
    remedy: 'Nothing here. It is reached again when the app on the device saves it.',
  },
} as const satisfies Record<string, ReasonText>;

export type NoTarget = keyof typeof NO_TARGET_TEXTS;

/** Why a push would not reach a device now. */
export type Unreachable = DiscardReason | NoTarget;

/** Where a device stands: the column of the books that the next push counts it in, and why it is not reached. */
export interface Standing {
  /** Absent when no push finds the device. */
  readonly channel?: string;
  /** Where a profile decides. */
  readonly profile?: string;
  /** Absent when the device is reached. */
  readonly reason?: Unreachable;
}

export interface StoredDevice {
  readonly installation: JsonObject;
  /** Empty when it is no target. */
  readonly bucket: RouteBucket;
}

/** What the pushes that `fateOf` is for make of a device as it is stored now. */
export function standingOf({ installation, bucket }: StoredDevice, fateOf: FateOf): Standing {
  if (bucket === '') return { reason: installation['valid'] === false ? 'not-valid' : 'stale' };
  const fate = fateOf(bucket);
  const { channel } = fate;
  if (channel === OWN_CHANNEL) return ownStanding(installation, 'discard' in fate ? fate.discard : undefined);
  if (!('discard' in fate)) return { channel, profile: fate.profile };
  const { discard: reason } = fate;
  return reason === 'profile-missing' || reason === 'silent-unsupported'
    ? { channel, profile: profileOf(installation['deviceProfile']), reason }
    : { channel, reason };
}

function ownStanding({ installationId }: JsonObject, discard: DiscardReason | undefined): Standing {
  const id = typeof installationId === 'string' ? installationId : undefined;
  const reason = discard ?? ownRefusal(new Map([['device', id]]), 'device');
  return reason === undefined ? { channel: OWN_CHANNEL } : { channel: OWN_CHANNEL, reason };
}

/** A reason in plain words, and what the sender should do about it. */
export function unreachableText(reason: Unreachable): ReasonText & { readonly action?: Advice } {
  if (isNoTarget(reason)) return NO_TARGET_TEXTS[reason];
  const { means, remedy, advice: action } = DISCARD_POLICY[reason];
  return { means, remedy, action };
}

const isNoTarget = (reason: Unreachable): reason is NoTarget => Object.hasOwn(NO_TARGET_TEXTS, reason);
