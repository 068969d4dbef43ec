import { isNativeError } from 'node:util/types';
import { MustCorrect } from './must-correct';
import type { RedisPlace } from './redis-place';
import { isTlsUrl } from './redis-tls';
import { redisTlsRefused } from './redis-tls-refused';

/** First words of what Redis says, or of what the client library says of something that is no Redis. */
const REFUSALS: readonly (readonly [words: RegExp, problem: string])[] = [
  [/^WRONGPASS\b/, 'it refuses the user name or the password'],
  [/^NOAUTH\b/, 'it wants a password, and the address has none'],
  [/^NOPERM\b/, 'its user may not do what this process has to'],
  [/^ERR DB index is out of range/, 'it has no database of that number'],
  [/^(?:Unknown RESP type|Protocol error)/, 'what answers there is no Redis'],
];

/** One line for a Redis that this process cannot use until somebody corrects something; `undefined` for other errors. */
export async function redisRefused(error: unknown, { url, tls = {} }: RedisPlace): Promise<MustCorrect | undefined> {
  if (!isNativeError(error)) return undefined;
  const [first = ''] = url.split(',');
  const { host: at, hostname: host, port } = new URL(first.trim());
  const problem = REFUSALS.find(([words]) => words.test(error.message))?.[1];
  if (problem !== undefined)
    return new MustCorrect(`REDIS_URL: Redis at ${at} cannot be used: ${problem}`, { cause: error });
  if (!isTlsUrl(url)) return undefined;
  return redisTlsRefused(error, { at, host, port: Number(port || 6379), tls });
}
