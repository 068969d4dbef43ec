import type { Environment } from '@pushfleet/service-kit';
import type { FleetConfig } from './config';

const isSet = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

/** Any address of this machine is reached at this one. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * What the roles of one process are told beside what the operator says: where the ingress is, which the console knows without
 * asking, and that there is no other gateway which devices could go to while this one drains.
 */
export function environmentOfRoles(config: Pick<FleetConfig, 'ROLES' | 'BIND_ADDRESS'>, env: Environment): Environment {
  const told: Record<string, string> = {};
  if (!isSet(env['DRAIN_MS'])) told['DRAIN_MS'] = '0';
  const port = isSet(env['INGRESS_PORT']) ? env['INGRESS_PORT'] : '8080';
  if (config.ROLES.includes('ingress') && !isSet(env['INGRESS_URL']) && Number(port) > 0) {
    const host = EVERYWHERE.has(config.BIND_ADDRESS) ? '127.0.0.1' : config.BIND_ADDRESS;
    told['INGRESS_URL'] = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
  return { ...env, ...told };
}
