import { SHARDS } from '../kit/shards';
import { luaScript, nothing } from '../kit/lua/script';
import { bytesOf, decodeInstallation, indexedEntryOf } from '../installations';
import type { Migration, MigrationParts } from './migrations';

/** What follows every id: the shard that was counted last. */
interface Position {
  readonly app: string;
  readonly shard: number;
}

const READ_AT_ONCE = 500;

const correctBytes = luaScript('format/correct-bytes', { params: { bytes: 'key', growth: 'text' }, answer: nothing });

/** What the installations of each shard take was not counted before there was a ceiling. */
export const countInstallations: Migration = {
  ...{ from: 1, to: 2, accepts: 1, name: 'counting what installations take' },
  async page(parts, cursor) {
    const apps = (await parts.redis.hkeys(parts.keys.apps())).sort();
    const next = following(apps, cursor);
    if (!next) return undefined;
    await countShard(parts, next);
    const done = apps.indexOf(next.app) * SHARDS + next.shard + 1;
    return { cursor: `${next.app} ${next.shard}`, done, of: apps.length * SHARDS };
  },
};

/** Apps that came or went meanwhile do not matter: a new one is counted from its beginning. */
function following(apps: readonly string[], cursor: string): Position | undefined {
  const [last = '', shard = ''] = cursor.split(' ');
  if (apps.includes(last) && Number(shard) + 1 < SHARDS) return { app: last, shard: Number(shard) + 1 };
  const app = apps.find((id) => id > last);
  return app === undefined ? undefined : { app, shard: 0 };
}

/** Corrects the count by what it is wrong by: what is saved while the shard is read may be counted twice, or not at all. */
async function countShard({ redis, keys }: MigrationParts, { app, shard }: Position): Promise<void> {
  const counted = keys.installationBytes(app, shard);
  const before = Number(await redis.get(counted));
  const growth = (await bytesIn(redis, keys.records(app, shard))) - before;
  if (growth !== 0) await correctBytes(redis, { bytes: counted, growth });
}

/** Looked at by name and not by a cursor, so that a restart of Redis in between counts nothing twice. */
async function bytesIn(redis: MigrationParts['redis'], key: string): Promise<number> {
  const ids = await redis.hkeys(key);
  let bytes = 0;
  for (let i = 0; i < ids.length; i += READ_AT_ONCE) {
    const some = ids.slice(i, i + READ_AT_ONCE);
    const texts = await redis.hmget(key, ...some);
    some.forEach((objectId, n) => {
      const text = texts[n];
      if (typeof text === 'string') bytes += bytesOf(text, indexedEntryOf(decodeInstallation(objectId, text, '')));
    });
  }
  return bytes;
}
