import {
  adviceFor,
  channelsOf,
  compileWhere,
  routeOf,
  type Advice,
  type Audience,
  type Installation,
  type Reason,
  type RouteBucket,
  type RoutingRules,
} from '@pushfleet/domain';

/** A device as the audience sees it; without a bucket it is not valid and never a target. */
export interface Device {
  readonly installation: Installation;
  readonly bucket: RouteBucket | undefined;
}

export type Explanation =
  | { readonly outcome: 'not-matched'; readonly message: string }
  | { readonly outcome: 'discarded'; readonly channel: string; readonly reason: Reason; readonly action: Advice }
  | { readonly outcome: 'not-kept'; readonly channel: string; readonly message: string };

const NOT_KEPT =
  'No refusal of this installation was kept: it was accepted or still waits. ' +
  'Refusals are kept for the first 100,000 installations of a push.';

/** What the rules, as they are now, make of a device whose vendor's verdict was not kept. */
export function explainDevice({ installation, bucket }: Device, audience: Audience, rules: RoutingRules): Explanation {
  if (bucket === undefined) return { outcome: 'not-matched', message: 'The installation is not valid.' };
  if (audience.isForgotten === true)
    return { outcome: 'not-matched', message: 'The list of devices of this push was long and is not kept.' };
  if (!isInAudience(installation, audience))
    return { outcome: 'not-matched', message: 'The installation is not in the audience as it is now.' };
  const route = routeOf(bucket, rules);
  const { channel } = route;
  if (!('discard' in route)) return { outcome: 'not-kept', channel, message: NOT_KEPT };
  return { outcome: 'discarded', channel, reason: route.discard, action: adviceFor(route.discard) };
}

function isInAudience(installation: Installation, { addressed, devices, subscriptions, predicate }: Audience): boolean {
  if (devices) return devices.registrationIds.some((id) => id === installation['registrationId']);
  const address = addressed && installation[addressed.field];
  if (addressed && !(typeof address === 'string' && addressed.values.includes(address))) return false;
  if (subscriptions && !channelsOf(installation).some((channel) => subscriptions.includes(channel))) return false;
  return predicate === undefined || compileWhere(predicate)(installation);
}
