import { chunksOf } from '@pushfleet/domain';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { appOfText, ID_BYTES, NAMES, pushPrefixOfTexts } from '../pushes';

/** Texts that one script removes. */
const AT_ONCE = 100;

const removeTexts = luaScript('purge/remove-texts', {
  params: { list: 'key', prefix: 'text', entries: 'texts' },
  constants: { ...NAMES, ID_BYTES },
  answer: nothing,
});

/** The apps of the removed texts: a text names its app where the record of its push is gone. */
export async function purgeTexts(
  redis: RedisClient,
  apps: ReadonlySet<string>,
  list: string,
): Promise<readonly string[]> {
  const entries = (await redis.lrange(list, 0, -1)).filter((entry) => apps.has(appOfText(entry)));
  for (const some of chunksOf(entries, AT_ONCE))
    await removeTexts(redis, { list, prefix: pushPrefixOfTexts(list), entries: some });
  return entries.map(appOfText);
}
