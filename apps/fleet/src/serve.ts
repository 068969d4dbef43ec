import {
  misspelledSettings,
  openInstruments,
  openRoles,
  warnOfMisspelled,
  type Environment,
  type ServiceContext,
} from '@pushfleet/service-kit';
import { configSchema, loadChoice, loadConfig } from './config';
import { byWhatWasSet, environmentOfRoles, withRedis } from './environment';
import { listenFor } from './ports';
import { openPrivateRedis } from './private-redis/open-private-redis';
import { settleRoles } from './roles';

/** Opens the roles of this process, behind a Redis of their own where a folder for it is named; resolves with the addresses that they serve. */
export async function serveRoles(
  service: ServiceContext,
  given: Environment,
  redisDir: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const redis = redisDir === undefined ? undefined : await openPrivateRedis(redisDir, given['PATH']);
  const env = redis ? withRedis(given, redis) : given;
  const choice = loadChoice(env);
  const waves = await settleRoles(choice, environmentOfRoles(choice, env)).catch((error: unknown) => {
    throw byWhatWasSet(error, choice, env);
  });
  const listen = listenFor(waves.flat());
  const config = loadConfig(env);
  const instruments = await openInstruments(service, { name: 'fleet', config });
  const { log, admin } = instruments;
  const ofRoles = waves.flat().flatMap(({ misspelled }) => misspelled);
  warnOfMisspelled(log, [...misspelledSettings(configSchema, env), ...ofRoles]);
  await redis?.start(service, { log, maxMemory: config.REDIS_MAXMEMORY });
  const urls = await openRoles(service, { ...instruments, listen }, waves);
  admin.ready();
  log.info({ roles: choice.ROLES, urls, metrics: admin.url }, 'serving');
  return { ...urls, metrics: admin.url };
}
