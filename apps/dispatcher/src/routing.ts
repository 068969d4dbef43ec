import {
  messageFor,
  routeOf,
  type App,
  type DiscardReason,
  type PushContent,
  type Route,
  type RouteBucket,
} from '@pushfleet/domain';

/** What planning needs to know of a channel. */
export interface ChannelTraits {
  readonly passThrough: boolean;
}

/** A silent push is sent to the own channel as it is. */
export const OWN_TRAITS: ChannelTraits = { passThrough: true };

export interface Router {
  route(bucket: RouteBucket): Route;
}

/** Decides for one push what happens to each route bucket: the way of its channel, or the reason why not. */
export function routerFor(
  content: PushContent,
  app: Pick<App, 'hybrid'>,
  { traits, profiles }: { traits: ReadonlyMap<string, ChannelTraits>; profiles: ReadonlySet<string> },
): Router {
  const rules = { hybrid: app.hybrid, profiles, available: new Set(traits.keys()) };
  const refusals = new Map<string, DiscardReason | undefined>();
  const refusal = (channel: string): DiscardReason | undefined => {
    if (!refusals.has(channel)) {
      const isUnsupported = traits.get(channel)?.passThrough === false && messageFor(content, channel).silent;
      refusals.set(channel, isUnsupported ? 'silent-unsupported' : undefined);
    }
    return refusals.get(channel);
  };
  return {
    route(bucket) {
      const route = routeOf(bucket, rules);
      const discard = 'discard' in route ? undefined : refusal(route.channel);
      return discard === undefined ? route : { channel: route.channel, discard };
    },
  };
}
