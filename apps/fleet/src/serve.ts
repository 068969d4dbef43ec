import { openInstruments, openRoles, type Environment, type ServiceContext } from '@pushfleet/service-kit';
import type { FleetConfig } from './config';
import { environmentOfRoles } from './environment';
import { requireOwnPorts } from './ports';
import { settleRoles } from './roles';

/** Opens the roles of this process; resolves with the addresses that they serve. */
export async function serveRoles(
  service: ServiceContext,
  config: FleetConfig,
  env: Environment,
): Promise<Readonly<Record<string, string>>> {
  const waves = await settleRoles(config, environmentOfRoles(config, env));
  requireOwnPorts(waves.flat());
  const instruments = await openInstruments(service, { name: 'fleet', config });
  const { log, admin } = instruments;
  const urls = await openRoles(service, instruments, waves);
  admin.ready();
  log.info({ roles: config.ROLES, urls, metrics: admin.url }, 'serving');
  return { ...urls, metrics: admin.url };
}
