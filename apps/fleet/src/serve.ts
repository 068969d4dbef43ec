import { openInstruments, openRoles, type Environment, type ServiceContext } from '@pushfleet/service-kit';
import { loadChoice, loadConfig } from './config';
import { environmentOfRoles } from './environment';
import { listenFor } from './ports';
import { settleRoles } from './roles';

/** Opens the roles of this process; resolves with the addresses that they serve. */
export async function serveRoles(service: ServiceContext, env: Environment): Promise<Readonly<Record<string, string>>> {
  const choice = loadChoice(env);
  const waves = await settleRoles(choice, environmentOfRoles(choice, env));
  const listen = listenFor(waves.flat());
  const instruments = await openInstruments(service, { name: 'fleet', config: loadConfig(env) });
  const { log, admin } = instruments;
  const urls = await openRoles(service, { ...instruments, listen }, waves);
  admin.ready();
  log.info({ roles: choice.ROLES, urls, metrics: admin.url }, 'serving');
  return { ...urls, metrics: admin.url };
}
