import { type Audience, readJson, writeJson } from '@pushfleet/domain';
import type { PushKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { NAMES } from './record-fields';

const keep = luaScript('pushes/keep-resolved-audience', {
  params: { record: 'key', audience: 'text' },
  constants: NAMES,
  answer: (text: string) => readJson(text) as Audience,
});

/** Keeps the audience of a push once its sub-queries are answered; resolves with the audience that was kept first. */
export const keepResolvedAudience = (
  { redis, keys }: { readonly redis: RedisClient; readonly keys: PushKeys },
  pushId: string,
  audience: Audience,
): Promise<Audience> => keep(redis, { record: keys.pushRecord(pushId), audience: writeJson(audience) });
