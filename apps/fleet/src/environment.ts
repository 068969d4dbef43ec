import { ConfigError, isConfigError, type Environment } from '@pushfleet/service-kit';
import type { Choice } from './config';

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Any address of this machine is reached at this one. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * What the roles of one process are told beside what the operator says: where the ingress is, which the console knows without
 * asking unless it needs the name that its certificate has, that there is no other gateway which devices could go to while this one drains, and what holds for both of the doors
 * that are one address.
 */
export function environmentOfRoles({ ROLES: roles }: Pick<Choice, 'ROLES'>, env: Environment): Environment {
  const port = portOf(env, 'INGRESS_PORT', '8080');
  const hasIngress = roles.includes('ingress') && port > 0;
  const isOneAddress = hasIngress && roles.includes('gateway') && port === portOf(env, 'GATEWAY_PORT', '8082');
  const told = {
    DRAIN_MS: '0',
    ...(hasIngress && !isSet(env['TLS_CERT_FILE']) ? { INGRESS_URL: localUrl(env, port) } : {}),
    ...(isOneAddress ? ofOneAddress(env) : {}),
  };
  const unsaid = Object.entries(told).filter(([variable]) => !isSet(env[variable]));
  return { ...env, ...Object.fromEntries(unsaid) };
}

/** What the variables that roles are told are made of; of several the one first that no role reads itself. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  INGRESS_URL: ['BIND_ADDRESS', 'INGRESS_PORT'],
  GATEWAY_PUBLIC_URLS: ['INGRESS_PUBLIC_URL'],
  PROXY_HOPS: ['TRUSTED_PROXY_HOPS'],
};

/** What has to be corrected, by the variables that the operator has set: what was made of a wrong one is wrong as well. */
export function byWhatWasSet(error: unknown, given: Environment): unknown {
  if (!isConfigError(error)) return error;
  const isTold = (variable: string): boolean => error.lines.some((line) => line.startsWith(`${variable}: `));
  const lines = error.lines.flatMap((line) => {
    const [variable = '', rule = ''] = line.split(/: (.*)/s, 2);
    const [source, ...others] = isSet(given[variable]) ? [] : (MADE_OF[variable] ?? []);
    if (source === undefined) return [line];
    return [source, ...others].some(isTold) ? [] : [`${source}: ${variable}, which is made of it, ${rule}`];
  });
  return new ConfigError(lines, { cause: error });
}

function portOf(env: Environment, variable: string, usual: string): number {
  const { [variable]: port } = env;
  return Number(isSet(port) ? port : usual);
}

function localUrl({ BIND_ADDRESS: bound }: Environment, port: number): string {
  const host = !isSet(bound) || EVERYWHERE.has(bound) ? '127.0.0.1' : bound;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function ofOneAddress({ INGRESS_PUBLIC_URL: url, TRUSTED_PROXY_HOPS: hops }: Environment): Environment {
  return {
    ...(isSet(url) ? { GATEWAY_PUBLIC_URLS: url.trim().replace(/^http/i, 'ws') } : {}),
    ...(isSet(hops) ? { PROXY_HOPS: hops } : {}),
  };
}

/** What says how another Redis is reached. */
const OF_ANOTHER = ['REDIS_URL_FILE', 'REDIS_PASSWORD', 'REDIS_PASSWORD_FILE', 'REDIS_SENTINEL_PASSWORD'];

/** The environment of roles whose Redis is this one, whatever they were told of another. */
export function withRedis(env: Environment, { url }: { readonly url: string }): Environment {
  const kept = Object.entries(env).filter(([name]) => !OF_ANOTHER.includes(name) && !name.startsWith('REDIS_TLS_'));
  return { ...Object.fromEntries(kept), REDIS_URL: url };
}
