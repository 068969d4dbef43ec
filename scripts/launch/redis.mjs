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
    const version = await versionAt(env);
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

async function versionAt(env) {
  const { LEAST_REDIS } = await import('@pushfleet/fleet/private-redis');
  const { openRedis: open, placeOf } = await import('@pushfleet/store');
  const redis = await openAt(() => open({ ...placeOf(env), patience: 'fail-fast', onError: () => undefined }));
  const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '0';
  redis.disconnect();
  if (Number.parseInt(version, 10) >= LEAST_REDIS) return version;
  throw new Problem(`REDIS_URL: pushfleet needs Redis ${LEAST_REDIS} or later, or Valkey; this is ${version}.`);
}

/** What has to be corrected names its variable by itself. */
async function openAt(open) {
  try {
    return await open();
  } catch (cause) {
    const [line = `REDIS_URL: this Redis cannot be reached (${cause.message})`] = cause.lines ?? [];
    throw new Problem(line, { cause });
  }
}
