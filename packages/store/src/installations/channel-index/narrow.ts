import {
  coversOf,
  compileCondition,
  withoutSubscriptions,
  type Audience,
  type JsonObject,
  type RouteBucket,
} from '@pushfleet/domain';
import { isColumnTerm, manyTermsFor, termOfIndexed } from '../column-index/terms';
import { inTurns } from '../in-turns';
import { toInstallation } from '../read';
import type { IndexedInstallation } from '../stored';
import type { ChannelShards, IndexReader } from './entries';
import { MAX_LOOKS } from './sizes';
import { readSubscribers } from './subscribers';

/** An audience that may be small: some channels or values of columns that all of its devices have at least one of. */
export interface NarrowAudience {
  /** Shards that have to be asked. */
  readonly shards: number;
  /** The same audience as walks of some channels' subscribers each, the rest of it left to test. */
  readonly walks: readonly Audience[];
  /** Its devices; undefined when the index finds more than are looked up one by one. */
  read(): Promise<readonly NarrowedDevice[] | undefined>;
}

export interface NarrowedDevice {
  readonly objectId: string;
  readonly registrationId: string;
  readonly bucket: RouteBucket;
}

/** What is known to be whole of the indexes of an app. */
export interface Trust {
  readonly channels: boolean;
  readonly columns: ReadonlySet<string>;
}

/** Asking so many shards takes about as long as looking up a device by its name. */
const FEW_SHARDS = 16;
export const isFewShards = ({ shards }: Pick<NarrowAudience, 'shards'>): boolean => shards <= FEW_SHARDS;

/** Devices that are looked up one by one at most: beyond it a walk costs no more, and the plan would be large. */
export const MAX_LOOKED_UP = 2000;
/** Lists of terms that are tried: those in the fewest shards. */
const MAX_COVERS = 4;
/** Terms whose entries are read for one audience at most. */
const MAX_TERMS = 1100;

type Cover = ReadonlyMap<string, ChannelShards>;

/** Undefined when no index narrows the audience. */
export async function narrowAudience(
  parts: IndexReader,
  { app, audience }: { readonly app: string; readonly audience: Audience },
  trust: Trust,
): Promise<NarrowAudience | undefined> {
  const covers = trustedCovers(audience, trust);
  if (covers.length === 0) return undefined;
  const { entries, buckets } = await parts.askPlaces({ app, channels: [...new Set(covers.flat())] });
  const known = covers
    .map((names): Cover => new Map(names.map((name) => [name, entries.get(name) ?? []])))
    .filter((cover) => looksOf(cover) * buckets.length <= MAX_LOOKS)
    .sort((a, b) => shardsOf(a) - shardsOf(b))
    .slice(0, MAX_COVERS)
    .map((cover) => ({ cover, condition: leftToTest(audience, cover) }));
  if (known.length === 0) return undefined;
  const ofChannels = known.filter(({ cover }) => ![...cover.keys()].some(isColumnTerm));
  return {
    shards: Math.min(...known.map(({ cover }) => shardsOf(cover))),
    walks: ofChannels.map(({ cover, condition }) => ({
      subscriptions: [...cover.keys()],
      ...(condition ? { predicate: condition } : {}),
    })),
    async read() {
      for (const { cover, condition } of known) {
        const options = { limit: MAX_LOOKED_UP, withDocuments: condition !== undefined };
        const found = await readSubscribers(parts, { app, buckets, terms: cover }, options);
        if (found) return (condition ? await matchingOf(found, condition) : found).map(narrowed);
      }
      return undefined;
    },
  };
}

/** Those of whole indexes, the shortest first, as far as their entries are read. */
function trustedCovers(audience: Audience, { channels, columns }: Trust): readonly (readonly string[])[] {
  // What names a column's value was asked for as a channel: no index answers for it.
  const isAsked = !audience.subscriptions?.some(isColumnTerm);
  const covers = isAsked ? coversOf(audience, termOfIndexed(columns)) : [];
  const trusted = channels ? covers : covers.filter((terms) => terms.every(isColumnTerm));
  const sorted = trusted.map((terms) => [...terms, ...manyTermsFor(terms)]).sort((a, b) => a.length - b.length);
  let terms = 0;
  return sorted.filter((cover) => (terms += cover.length) <= MAX_TERMS);
}

const narrowed = ({ objectId, doc: { registrationId }, bucket }: IndexedInstallation): NarrowedDevice => ({
  objectId,
  bucket,
  registrationId: typeof registrationId === 'string' ? registrationId : '',
});

/** What a bucket has to be asked for: each term in each of its shards. */
const looksOf = (cover: Cover): number => [...cover.values()].reduce((sum, { length }) => sum + length, 0);

const shardsOf = (cover: Cover): number => new Set([...cover.values()].flat()).size;

/** What the subscribers of the cover still have to meet. */
function leftToTest(audience: Audience, cover: Cover): JsonObject | undefined {
  const { subscriptions, predicate } = audience;
  const isCovered = !subscriptions || subscriptions.every((name) => cover.has(name));
  const isWhole = subscriptions?.length === cover.size && isCovered;
  return isWhole ? predicate : withoutSubscriptions(audience).predicate;
}

async function matchingOf(
  found: readonly IndexedInstallation[],
  condition: JsonObject,
): Promise<readonly IndexedInstallation[]> {
  const matches = inTurns(compileCondition(condition));
  const matching: IndexedInstallation[] = [];
  for (const stored of found) if (await matches(toInstallation(stored))) matching.push(stored);
  return matching;
}
