import { inRoot } from './paths.mjs';
import { freePort } from './ports.mjs';
import { Problem } from './problem.mjs';
import { say, step } from './progress.mjs';
import { ensureRedisBinary } from './redis-binary.mjs';

const HOST = '127.0.0.1';

/** Where the fleet keeps its data: the Redis of REDIS_URL under a prefix of its own, else one that we start. */
export async function openRedis({ env, state, services, lifeline }) {
  if (env.REDIS_URL?.trim()) {
    const prefix = env.KEY_PREFIX || state.guestPrefix;
    const version = await versionAt(env, prefix);
    lifeline.signal.throwIfAborted();
    say(`Using the Redis ${version} of REDIS_URL, with keys under ${prefix}; nothing in it is deleted`);
    return { url: env.REDIS_URL, prefix };
  }
  const binary = await ensureRedisBinary(lifeline);
  const { redisArguments } = await import('@pushfleet/fleet/private-redis');
  const port = await freePort(HOST);
  const spec = {
    name: 'redis',
    script: inRoot('scripts/launch/redis-keeper.mjs'),
    args: [binary, String(port), ...redisArguments({ port, dir: state.at('redis'), maxMemory: '1gb' })],
    env,
  };
  const { redis: url } = await step(`Starting Redis (${binary})`, () => services.start(spec));
  return { url, prefix: 'pushfleet' };
}

async function versionAt(env, namespace) {
  const { LEAST_REDIS } = await import('@pushfleet/fleet/private-redis');
  const redis = await openAt(env, namespace);
  const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '0';
  redis.disconnect();
  if (Number.parseInt(version, 10) >= LEAST_REDIS) return version;
  throw new Problem(`REDIS_URL: pushfleet needs Redis ${LEAST_REDIS} or later, or Valkey; this is ${version}.`);
}

/** What has to be corrected is told in the words of the services. */
async function openAt(env, namespace) {
  const { processConfig } = await import('@pushfleet/service-kit');
  const { openRedis: open, placeOf, redisRefused } = await import('@pushfleet/store');
  const { error } = processConfig.REDIS_URL.safeParse(env.REDIS_URL);
  if (error) throw new Problem(`REDIS_URL: ${error.issues[0].message}`);
  try {
    return await open({ ...placeOf(env), patience: 'fail-fast', onError: () => undefined });
  } catch (cause) {
    const { lines } = cause.lines ? cause : ((await redisRefused(cause, { ...placeOf(env), namespace })) ?? {});
    const [line = `REDIS_URL: this Redis cannot be reached (${cause.message})`] = lines ?? [];
    throw new Problem(line, { cause });
  }
}
