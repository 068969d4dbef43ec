import { MustCorrect } from './must-correct';
import { readRedisTls, type RedisTls, type RedisTlsEnvironment } from './redis-tls';
import { isSentinelUrl, sentinelsIn } from './sentinel-address';

/** The variables of a service that say where Redis is. */
export interface RedisEnvironment extends RedisTlsEnvironment {
  readonly REDIS_PASSWORD?: string | undefined;
  readonly REDIS_SENTINEL_PASSWORD?: string | undefined;
}

/** Where Redis is, and by what it is reached. */
export interface RedisPlace {
  /** One URL, or several (comma-separated) of a cluster; a single URL of a cluster is detected. Or one of sentinels. */
  readonly url: string;
  /** Of a Redis whose URL names none. */
  readonly password?: string | undefined;
  readonly sentinelPassword?: string | undefined;
  /** For rediss:// URLs; absent: the public authorities, and no certificate of this process. */
  readonly tls?: RedisTls | undefined;
}

const SENTINEL_RULE =
  'must be redis+sentinel://host:port,host:port/master-name, with user:password@ before the hosts and /database behind the name ' +
  'where needed, and what is no letter or digit in a password as %XX';

/** Throws what has to be corrected, as one line that names the variable. */
export function placeOf(env: RedisEnvironment): RedisPlace {
  if (isSentinelUrl(env.REDIS_URL) && !sentinelsIn(env.REDIS_URL)) throw new MustCorrect(`REDIS_URL: ${SENTINEL_RULE}`);
  return {
    url: env.REDIS_URL,
    password: env.REDIS_PASSWORD,
    sentinelPassword: env.REDIS_SENTINEL_PASSWORD,
    tls: readRedisTls(env),
  };
}

/** The URLs of one Redis or of the nodes of a cluster, with the password in every one that names none. */
export const nodesIn = ({ url: urls, password }: RedisPlace): readonly string[] =>
  urls.split(',').map((text) => {
    if (password === undefined) return text.trim();
    const url = new URL(text.trim());
    if (url.password === '') url.password = encodeURIComponent(password);
    return url.href;
  });
