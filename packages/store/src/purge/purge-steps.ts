import { channelsOf, chunksOf, groupBy, isJsonObject, plainJsonIn } from '@pushfleet/domain';
import { bucketOfText, type InstallationKeys } from '../installations';
import { fieldsByCursor } from '../kit/hash-fields';
import { ALL_SHARDS } from '../kit/shards';
import type { KitKeys } from '../kit/keys';
import type { OwnChannelKeys } from '../own-channel';
import { PUSH_SUFFIXES, type PushKeys, ID_BYTES, NAMES } from '../pushes';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { mastersOf } from '../kit/redis-settings';
import { familyOf, KEY_FAMILIES } from './key-families';
import { purgeTexts } from './purge-texts';
import type { PurgeProgress } from '../accounts';

export interface StepParts {
  readonly redis: RedisClient;
  readonly keys: KitKeys & InstallationKeys & OwnChannelKeys & PushKeys;
  /** Called with the removed pushes, so that jobs which wait for them are removed as well. */
  readonly onPushes: (pushIds: readonly string[]) => Promise<void>;
}

/** What a piece of work removed, by app. */
export type Removed = ReadonlyMap<string, Partial<PurgeProgress['removed']>>;

/** One part of a step. It yields after every small piece of work, so that other commands have their turn. */
export type Part = (parts: StepParts, apps: ReadonlySet<string>) => AsyncGenerator<Removed>;

/** What one script or command takes at most. */
const AT_ONCE = 100;
const SCAN_COUNT = 500;
/** Shards of an app that are asked at once whether they have anything. */
const SHARDS_AT_ONCE = 64;

/** A step that was cut off goes on with the part that was under way. */
export const PUSH_PARTS: readonly Part[] = ALL_SHARDS.map((shard) => (parts, apps) => purgePushes(parts, apps, shard));

/** Undefined for a shard in which the app has nothing. */
export async function partsOfInstallations(
  { redis, keys }: Pick<StepParts, 'redis' | 'keys'>,
  app: string,
): Promise<readonly (Part | undefined)[]> {
  const counts: number[] = [];
  for (const some of chunksOf(ALL_SHARDS, SHARDS_AT_ONCE))
    counts.push(...(await Promise.all(some.map((shard) => redis.exists(...keysOfShard(keys, app, shard))))));
  return ALL_SHARDS.map((shard): Part | undefined =>
    counts[shard] === 0 ? undefined : (parts) => purgeInstallations(parts, { app, shard }),
  );
}

export const leftoverParts = (redis: RedisClient): readonly Part[] =>
  mastersOf(redis).map((_, node) => (parts, apps) => purgeLeftovers(parts, apps, node));

const SUFFIXES = PUSH_SUFFIXES.map((suffix) => `:${suffix}`);

const removePushes = luaScript('purge/remove-pushes', {
  params: { open: 'key', closed: 'key', prefix: 'text', apps: 'texts', entries: 'texts', suffixes: 'texts' },
  constants: { ...NAMES, ID_BYTES },
  answer: (gone: readonly (readonly [app: string, pushId: string])[]) => gone,
});

/** A worker learns with its next fold that the push is gone, and sends no more of it. */
async function* purgePushes(
  { redis, keys, onPushes }: StepParts,
  apps: ReadonlySet<string>,
  shard: number,
): AsyncGenerator<Removed> {
  const [open, closed] = [keys.openPushes(shard), keys.closedPushes(shard)];
  const lists = await Promise.all([redis.zrange(open, '0', '-1'), redis.lrange(closed, 0, -1)]);
  for (const entries of chunksOf(lists.flat(), AT_ONCE)) {
    const pushes = { open, closed, prefix: keys.pushPrefix(shard), apps: [...apps], entries, suffixes: SUFFIXES };
    const gone = await removePushes(redis, pushes);
    await onPushes(gone.map(([, pushId]) => pushId));
    const byApp = groupBy(gone, ([app]) => app);
    yield new Map(Array.from(byApp, ([app, { length }]) => [app, { pushes: length }]));
  }
}

type Keys = StepParts['keys'];

const LOOK_UPS = ['installationId', 'deviceToken', 'registrationId'] as const;

const keysOfShard = (keys: Keys, app: string, shard: number): readonly [string, ...string[]] => [
  keys.records(app, shard),
  keys.channelShards(app, shard),
  keys.channelDoubts(app, shard),
  keys.installationBytes(app, shard),
  keys.unconfirmed(app, shard),
  ...LOOK_UPS.map((kind) => keys.lookUps(app, kind, shard)),
];

/** Index entries are removed before the records that name them: a process that dies in between leaves the names. */
async function* purgeInstallations(
  { redis, keys }: StepParts,
  { app, shard }: { app: string; shard: number },
): AsyncGenerator<Removed> {
  const counts = [keys.records(app, shard), keys.lookUps(app, 'installationId', shard)].map((key) => redis.hlen(key));
  const [installations = 0, ids = 0] = await Promise.all(counts);
  // What is small is one piece.
  const isSmall = installations + ids <= AT_ONCE;
  let removed = 0;
  for await (const some of namedIn({ redis, keys }, { app, shard })) {
    removed += await unlinkAll(redis, some);
    if (isSmall) continue;
    yield new Map([[app, { keys: removed }]]);
    removed = 0;
  }
  await unlinkAll(redis, keysOfShard(keys, app, shard));
  yield new Map([[app, { installations, keys: removed }]]);
}

/** The keys that the records of a shard and its look-ups lead to. */
async function* namedIn(
  { redis, keys }: Pick<StepParts, 'redis' | 'keys'>,
  { app, shard }: { app: string; shard: number },
): AsyncGenerator<readonly string[]> {
  for await (const fields of fieldsByCursor(redis, keys.records(app, shard), AT_ONCE)) {
    const texts = fields.map(([, text]) => text);
    yield indexKeysOf(keys, { app, shard, texts });
  }
  for await (const fields of fieldsByCursor(redis, keys.lookUps(app, 'installationId', shard), AT_ONCE))
    yield fields.flatMap(([id]) => [keys.mailbox(app, id), keys.presence(app, id)]);
}

interface Stored {
  readonly app: string;
  readonly shard: number;
  readonly texts: readonly string[];
}

function indexKeysOf(keys: Keys, { app, shard, texts }: Stored): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const bucket = bucketOfText(text);
    if (bucket === '') continue;
    found.add(keys.bucket(app, shard, bucket));
    for (const channel of channelsIn(text)) found.add(keys.subscribers(app, shard, { bucket, channel }));
  }
  return [...found];
}

/** None where nobody can read the record: what stands under its channels goes with the leftovers. */
function channelsIn(text: string): readonly string[] {
  const doc = plainJsonIn(text.slice(text.indexOf('\n') + 1));
  return isJsonObject(doc) ? channelsOf(doc) : [];
}

/** Removes every other key that has one of the apps in its name, and what is theirs in keys that apps share. */
async function* purgeLeftovers(
  { redis, keys }: StepParts,
  apps: ReadonlySet<string>,
  node: number,
): AsyncGenerator<Removed> {
  let cursor = '0';
  do {
    const master = mastersOf(redis)[node];
    if (!master) return;
    const [next, names] = await master.scan(cursor, 'MATCH', `${keys.namespace}:*`, 'COUNT', SCAN_COUNT);
    const removed = new Map<string, { readonly keys: number }>();
    for (const name of names)
      for (const [app, count] of await purgeKey({ redis, keys }, apps, name))
        removed.set(app, { keys: (removed.get(app)?.keys ?? 0) + count });
    yield removed;
    cursor = next;
  } while (cursor !== '0');
}

const SHARED = KEY_FAMILIES.filter(({ purge }) => purge === 'fields' || purge === 'texts');
/** What stands around the id of an app, in the name of its key. */
const AROUND_APP = /[:{}/]/;

/** Nearly all keys are other apps': they are told apart before their families are looked for. */
const mayConcern = (apps: ReadonlySet<string>, rest: string): boolean =>
  rest.split(AROUND_APP).some((part) => apps.has(part)) || SHARED.some(({ pattern }) => pattern.test(rest));

/** How many keys or fields were removed, by app. */
async function purgeKey(
  { redis, keys }: Pick<StepParts, 'redis' | 'keys'>,
  apps: ReadonlySet<string>,
  key: string,
): Promise<ReadonlyMap<string, number>> {
  const found = mayConcern(apps, key.slice(keys.namespace.length + 1)) ? familyOf(keys.namespace, key) : undefined;
  if (found?.app !== undefined && apps.has(found.app)) return new Map([[found.app, await redis.unlink(key)]]);
  if (found?.family.purge === 'texts') return countsByApp(await purgeTexts(redis, apps, key));
  if (found?.family.purge !== 'fields') return new Map();
  const fields = (await redis.hkeys(key)).filter((field) => apps.has(appOfField(field)));
  if (fields.length > 0) await redis.hdel(key, ...fields);
  return countsByApp(fields.map(appOfField));
}

const countsByApp = (apps: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    Array.from(
      groupBy(apps, (app) => app),
      ([app, { length }]) => [app, length],
    ),
  );

const appOfField = (field: string): string => field.split(/[/ ]/, 1)[0] ?? '';

/** The keys are all of one slot. */
async function unlinkAll(redis: RedisClient, names: readonly string[]): Promise<number> {
  let removed = 0;
  for (const some of chunksOf(names, AT_ONCE)) removed += await redis.unlink(...some);
  return removed;
}
