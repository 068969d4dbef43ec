import { isDeepStrictEqual } from 'node:util';
import { withoutSubscriptions, type Audience } from '@pushfleet/domain';
import type { PushToSend, Store } from '@pushfleet/store';

/**
 * The audience of a push as its lanes walk it: of some walks that find its devices the one that looks at the fewest, or all devices
 * where that is less. Devices are told of the channel that the sender named.
 */
export async function shortestWalk(
  installations: Store['installations'],
  { app, audience }: Pick<PushToSend, 'app' | 'audience'>,
  walks: readonly Audience[] = [audience],
): Promise<Audience> {
  const shorter = await installations.shorterWalks(app, walks);
  const walk = shorter.length > 0 ? await fewestOf(installations, app, shorter) : withoutSubscriptions(audience);
  if (isDeepStrictEqual(walk, audience)) return audience;
  const { subscriptions, named = subscriptions ?? [] } = audience;
  return { ...walk, named };
}

/** Of several walks that find the same devices, the one that looks at the fewest devices. */
async function fewestOf(
  installations: Store['installations'],
  app: string,
  walks: readonly Audience[],
): Promise<Audience> {
  const [only] = walks;
  if (only && walks.length === 1) return only;
  const sized = walks.map(async (walk) => {
    const sizes = await installations.bucketSizes(app, walk);
    return { walk, size: [...sizes.values()].reduce((a, b) => a + b, 0) };
  });
  return (await Promise.all(sized)).reduce((a, b) => (b.size < a.size ? b : a)).walk;
}
