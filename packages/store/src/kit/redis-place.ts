import { readRedisTls, type RedisTls, type RedisTlsEnvironment } from './redis-tls';

/** The variables of a service that say where Redis is. */
export interface RedisEnvironment extends RedisTlsEnvironment {
  readonly REDIS_PASSWORD?: string | undefined;
}

/** Where Redis is, and by what it is reached. */
export interface RedisPlace {
  /** With the password. */
  readonly url: string;
  readonly tls: RedisTls | undefined;
}

/** Throws what has to be corrected, as one line that names the variable. */
export const placeOf = (env: RedisEnvironment): RedisPlace => ({ url: urlOf(env), tls: readRedisTls(env) });

/** With the password in every address that names none. */
function urlOf({ REDIS_URL: urls, REDIS_PASSWORD: password }: RedisEnvironment): string {
  if (password === undefined) return urls;
  return urls
    .split(',')
    .map((text) => {
      const url = new URL(text.trim());
      if (url.password === '') url.password = encodeURIComponent(password);
      return url.href;
    })
    .join();
}
