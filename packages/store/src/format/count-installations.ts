import { fieldsByName } from '../kit/hash-fields';
import { SHARDS } from '../kit/shards';
import { luaScript, nothing } from '../kit/lua/script';
import { bytesOf, decodeInstallation, indexedEntryOf } from '../installations';
import type { Migration, MigrationParts } from './migration';

/** The cursor: an app, and the shard of it that was counted last. */
interface Position {
  readonly app: string;
  readonly shard: number;
}

const correctBytes = luaScript('format/correct-bytes', { params: { bytes: 'key', growth: 'text' }, answer: nothing });

/** What the installations of each shard take was not counted before there was a ceiling. */
export const countInstallations: Migration = {
  from: 1,
  to: 2,
  accepts: 1,
  name: 'counting what installations take',
  async page(parts, cursor) {
    const apps = (await parts.redis.hkeys(parts.keys.apps())).sort();
    const next = following(apps, cursor);
    if (!next) return undefined;
    await countShard(parts, next);
    const done = apps.indexOf(next.app) * SHARDS + next.shard + 1;
    return { cursor: `${next.app} ${next.shard}`, done, of: apps.length * SHARDS };
  },
};

/** Apps that come or go during the migration do not matter: the bytes of a new app are counted by its saves. */
function following(apps: readonly string[], cursor: string): Position | undefined {
  const [last = '', shard = ''] = cursor.split(' ');
  if (apps.includes(last) && Number(shard) + 1 < SHARDS) return { app: last, shard: Number(shard) + 1 };
  const app = apps.find((id) => id > last);
  return app === undefined ? undefined : { app, shard: 0 };
}

/** Adds the difference to the count. A device that is saved while its shard is read may be counted twice, or not at all. */
async function countShard({ redis, keys }: MigrationParts, { app, shard }: Position): Promise<void> {
  const counted = keys.installationBytes(app, shard);
  const before = Number(await redis.get(counted));
  const growth = (await bytesIn(redis, keys.records(app, shard))) - before;
  if (growth !== 0) await correctBytes(redis, { bytes: counted, growth });
}

async function bytesIn(redis: MigrationParts['redis'], key: string): Promise<number> {
  let bytes = 0;
  for await (const records of fieldsByName(redis, key))
    for (const [objectId, text] of records) {
      const stored = decodeInstallation(objectId, text, '');
      bytes += bytesOf(text, stored && indexedEntryOf(stored));
    }
  return bytes;
}
