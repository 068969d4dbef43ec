import { channelsOf, chunksOf, isJsonObject, plainJsonIn } from '@pushfleet/domain';
import { bucketOfText, type InstallationKeys } from '../installations';
import { fieldsByCursor } from '../kit/hash-fields';
import { ALL_SHARDS } from '../kit/shards';
import type { KitKeys } from '../kit/keys';
import type { OwnChannelKeys } from '../own-channel';
import { PUSH_SUFFIXES, type PushKeys, ID_BYTES, NAMES } from '../pushes';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { mastersOf } from '../kit/redis-settings';
import { familyOf } from './key-families';
import type { PurgeProgress, PurgeStep } from '../accounts';

export interface StepParts {
  readonly redis: RedisClient;
  readonly keys: KitKeys & InstallationKeys & OwnChannelKeys & PushKeys;
  /** Called with the removed pushes, so that jobs which wait for them are removed as well. */
  readonly onPushes: (pushIds: readonly string[]) => Promise<void>;
}

export type Removed = Partial<PurgeProgress['removed']>;

/** One part of a step. It yields after every small piece of work, so that other commands have their turn. */
type Part = (parts: StepParts, app: string) => AsyncGenerator<Removed>;

/** What one script or command takes at most. */
const AT_ONCE = 100;
const SCAN_COUNT = 500;

const everyShard = (part: (parts: StepParts, of: { app: string; shard: number }) => AsyncGenerator<Removed>) =>
  ALL_SHARDS.map(
    (shard): Part =>
      (parts, app) =>
        part(parts, { app, shard }),
  );

/** The parts of a step. A step that was cut off goes on with the part that was under way. */
export function partsOfStep(step: PurgeStep, redis: RedisClient): readonly Part[] {
  if (step === 'pushes') return everyShard(purgePushes);
  if (step === 'installations') return everyShard(purgeInstallations);
  return mastersOf(redis).map(
    (_, node): Part =>
      (parts, app) =>
        purgeLeftovers(parts, { app, node }),
  );
}

const SUFFIXES = PUSH_SUFFIXES.map((suffix) => `:${suffix}`);

const removePushes = luaScript('purge/remove-pushes', {
  params: { open: 'key', closed: 'key', prefix: 'text', app: 'text', entries: 'texts', suffixes: 'texts' },
  constants: { ...NAMES, ID_BYTES },
  answer: (ids: readonly string[]) => ids,
});

/** A worker learns with its next fold that the push is gone, and sends no more of it. */
async function* purgePushes(
  { redis, keys, onPushes }: StepParts,
  { app, shard }: { app: string; shard: number },
): AsyncGenerator<Removed> {
  const [open, closed] = [keys.openPushes(shard), keys.closedPushes(shard)];
  const entries = [...(await redis.zrange(open, '0', '-1')), ...(await redis.lrange(closed, 0, -1))];
  for (const some of chunksOf(entries, AT_ONCE)) {
    const pushes = { open, closed, prefix: keys.pushPrefix(shard), app, entries: some, suffixes: SUFFIXES };
    const gone = await removePushes(redis, pushes);
    await onPushes(gone);
    yield { pushes: gone.length };
  }
}

/** Index entries are removed before the records that name them: a process that dies in between leaves the names. */
async function* purgeInstallations(
  parts: StepParts,
  { app, shard }: { app: string; shard: number },
): AsyncGenerator<Removed> {
  const { redis, keys } = parts;
  const records = keys.records(app, shard);
  const count = await redis.hlen(records);
  for await (const fields of fieldsByCursor(redis, records, AT_ONCE)) {
    const texts = fields.map(([, text]) => text);
    yield { keys: await unlinkAll(redis, indexKeysOf(keys, { app, shard, texts })) };
  }
  const names = keys.lookUps(app, 'installationId', shard);
  for await (const fields of fieldsByCursor(redis, names, AT_ONCE)) {
    yield {
      keys: await unlinkAll(
        redis,
        fields.flatMap(([id]) => [keys.mailbox(app, id), keys.presence(app, id)]),
      ),
    };
  }
  const kinds = ['installationId', 'deviceToken', 'registrationId'] as const;
  const ofChannels = [keys.channelShards(app, shard), keys.channelDoubts(app, shard)];
  const beside = [...ofChannels, keys.installationBytes(app, shard), keys.unconfirmed(app, shard)];
  await unlinkAll(redis, [records, ...beside, ...kinds.map((kind) => keys.lookUps(app, kind, shard))]);
  if (count > 0) yield { installations: count };
}

interface Stored {
  readonly app: string;
  readonly shard: number;
  readonly texts: readonly string[];
}

function indexKeysOf(
  keys: KitKeys & InstallationKeys & OwnChannelKeys & PushKeys,
  { app, shard, texts }: Stored,
): readonly string[] {
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

/** Removes every other key that has the app in its name. */
async function* purgeLeftovers(
  { redis, keys }: StepParts,
  { app, node }: { app: string; node: number },
): AsyncGenerator<Removed> {
  let cursor = '0';
  do {
    const master = mastersOf(redis)[node];
    if (!master) return;
    const [next, names] = await master.scan(cursor, 'MATCH', `${keys.namespace}:*`, 'COUNT', SCAN_COUNT);
    let removed = 0;
    for (const name of names) removed += await purgeKey({ redis, keys }, app, name);
    yield { keys: removed };
    cursor = next;
  } while (cursor !== '0');
}

async function purgeKey({ redis, keys }: Pick<StepParts, 'redis' | 'keys'>, app: string, key: string): Promise<number> {
  const found = familyOf(keys.namespace, key);
  if (found?.app === app) return redis.unlink(key);
  if (found?.family.purge !== 'fields') return 0;
  const fields = (await redis.hkeys(key)).filter((field) => field.startsWith(`${app}/`) || field.startsWith(`${app} `));
  return fields.length === 0 ? 0 : redis.hdel(key, ...fields);
}

/** The keys are all of one slot. */
async function unlinkAll(redis: RedisClient, names: readonly string[]): Promise<number> {
  let removed = 0;
  for (const some of chunksOf(names, AT_ONCE)) removed += await redis.unlink(...some);
  return removed;
}
