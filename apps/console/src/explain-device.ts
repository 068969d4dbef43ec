import {
  adviceFor,
  channelsOf,
  compileWhere,
  fatesOf,
  retiredFrom,
  unnamedFate,
  type Advice,
  type Audience,
  type FateRules,
  type Installation,
  type PushRecord,
  type Reason,
  type RouteBucket,
  type UnnamedFate,
} from '@pushfleet/domain';
import type { PushToSend } from '@pushfleet/store';

/** A device as the audience sees it; without a bucket it is not valid and never a target. */
export interface Device {
  readonly installation: Installation;
  readonly bucket: RouteBucket | undefined;
}

/** A push whose record names the device nowhere. */
export interface ExplainedPush {
  readonly push: Pick<PushToSend, 'audience' | 'content' | 'isDispatched' | 'pushTime'>;
  readonly record: PushRecord;
}

export interface NotDispatched {
  readonly outcome: 'not-dispatched';
  readonly channel: string;
  /** Why the push will not reach the device as things are. */
  readonly reason?: Reason;
  readonly action?: Advice;
  readonly message: string;
}

export type Explanation = UnnamedFate | NotDispatched;

/** Before a push is dispatched the rules tell what will become of a device; from then on its record does. */
export function explainDevice(device: Device, explained: ExplainedPush, rules: FateRules): Explanation {
  return explained.push.isDispatched ? pastFate(device, explained) : comingFate(device, explained, rules);
}

function comingFate(
  { installation, bucket }: Device,
  { push: { audience, content } }: ExplainedPush,
  rules: FateRules,
): Explanation {
  if (bucket === undefined) return { outcome: 'not-matched', message: 'The installation is not valid.' };
  if (!isInAudience(installation, audience)) return { outcome: 'not-matched', message: NOT_IN_AUDIENCE };
  const fate = fatesOf(rules, content)(bucket);
  const { channel } = fate;
  if (!('discard' in fate)) return { outcome: 'not-dispatched', channel, message: 'The push was not dispatched yet.' };
  const message = 'The push was not dispatched yet; as things are, it will not reach this installation.';
  return { outcome: 'not-dispatched', channel, reason: fate.discard, action: adviceFor(fate.discard), message };
}

const NOT_IN_AUDIENCE = 'The installation is not in the audience as it is now.';
const IS_FORGOTTEN: UnnamedFate = {
  outcome: 'not-kept',
  message:
    'The list of devices of this push was long and is not kept: if this installation was on it, it was accepted.',
};
const WAS_OTHER = 'The installation was saved since, and what it was at the time of the push is not kept.';

/** By what the record of a dispatched push holds. */
export function pastFate({ installation, bucket }: Device, { push, record }: ExplainedPush): UnnamedFate {
  const { audience } = push;
  const fate = unnamedFate(record);
  if (fate.outcome === 'not-matched') return fate;
  if (audience.isForgotten === true) return fate.outcome === 'accepted' ? IS_FORGOTTEN : fate;
  const isKnown =
    Date.parse(tellsByItself(audience) ? installation.createdAt : installation.updatedAt) <= push.pushTime;
  if (!isInAudience(beforeRetired(installation, bucket), audience))
    return isKnown
      ? { outcome: 'not-matched', message: NOT_IN_AUDIENCE }
      : { outcome: 'not-kept', message: `${NOT_IN_AUDIENCE} ${WAS_OTHER}` };
  if (isKnown || fate.outcome === 'not-kept') return fate;
  return {
    ...fate,
    outcome: 'not-kept',
    message: `If the installation was in the audience, it was accepted. ${WAS_OTHER}`,
  };
}

/** A later push may have retired the device. */
const beforeRetired = (installation: Installation, bucket: RouteBucket = ''): Installation =>
  retiredFrom(bucket) === undefined ? installation : { ...installation, valid: true };

/** Whether no later save of a device changes that it is in such an audience. */
function tellsByItself({ addressed, devices, subscriptions, predicate }: Audience): boolean {
  if (devices ?? subscriptions ?? predicate) return false;
  return addressed === undefined || addressed.field === 'objectId' || addressed.field === 'installationId';
}

function isInAudience(installation: Installation, { addressed, devices, subscriptions, predicate }: Audience): boolean {
  if (devices) return devices.registrationIds.some((id) => id === installation['registrationId']);
  const address = addressed && installation[addressed.field];
  if (addressed && !(typeof address === 'string' && addressed.values.includes(address))) return false;
  if (subscriptions && !channelsOf(installation).some((channel) => subscriptions.includes(channel))) return false;
  return predicate === undefined || compileWhere(predicate)(installation);
}
