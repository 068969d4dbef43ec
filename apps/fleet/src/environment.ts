import type { Environment } from '@pushfleet/service-kit';
import type { Choice } from './config';

const isSet = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

/** Any address of this machine is reached at this one. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * What the roles of one process are told beside what the operator says: where the ingress is, which the console knows without
 * asking, and that there is no other gateway which devices could go to while this one drains.
 */
export function environmentOfRoles({ ROLES: roles }: Pick<Choice, 'ROLES'>, env: Environment): Environment {
  const told: Record<string, string> = {};
  if (!isSet(env['DRAIN_MS'])) told['DRAIN_MS'] = '0';
  const port = isSet(env['INGRESS_PORT']) ? env['INGRESS_PORT'] : '8080';
  if (roles.includes('ingress') && !isSet(env['INGRESS_URL']) && Number(port) > 0) {
    const { BIND_ADDRESS: bound = '' } = env;
    const host = !isSet(bound) || EVERYWHERE.has(bound) ? '127.0.0.1' : bound;
    told['INGRESS_URL'] = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
  return { ...env, ...told };
}
