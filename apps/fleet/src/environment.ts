import { ConfigError, isConfigError, type Environment } from '@pushfleet/service-kit';
import type { Choice } from './config';

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Any address of this machine is reached at this one. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

interface Told {
  readonly value: string;
  /** The variables that it is made of; of several the one first that no role reads itself. */
  readonly from: readonly string[];
}

/**
 * What the roles of one process are told beside what the operator says: where the ingress is, which the console knows without
 * asking unless it needs the name that its certificate has, that there is no other gateway which devices could go to while this one drains, and what holds for both of the doors
 * that are one address.
 */
function toldTo({ ROLES: roles }: Pick<Choice, 'ROLES'>, env: Environment): ReadonlyMap<string, Told> {
  const port = portOf(env, 'INGRESS_PORT', '8080');
  const hasIngress = roles.includes('ingress') && port > 0;
  const isOneAddress = hasIngress && roles.includes('gateway') && port === portOf(env, 'GATEWAY_PORT', '8082');
  const url = { value: localUrl(env, port), from: ['BIND_ADDRESS', 'INGRESS_PORT'] };
  const told: Readonly<Record<string, Told>> = {
    DRAIN_MS: { value: '0', from: [] },
    ...(hasIngress && !isSet(env['TLS_CERT_FILE']) ? { INGRESS_URL: url } : {}),
    ...(isOneAddress ? ofOneAddress(env) : {}),
  };
  return new Map(Object.entries(told).filter(([variable]) => !isSet(env[variable])));
}

export function environmentOfRoles(choice: Pick<Choice, 'ROLES'>, env: Environment): Environment {
  const told = Array.from(toldTo(choice, env), ([variable, { value }]) => [variable, value] as const);
  return { ...env, ...Object.fromEntries(told) };
}

/** What has to be corrected, by the variables that the operator has set: what was made of a wrong one is wrong as well. */
export function byWhatWasSet(error: unknown, choice: Pick<Choice, 'ROLES'>, env: Environment): unknown {
  if (!isConfigError(error)) return error;
  const told = toldTo(choice, env);
  const isWrong = (variable: string): boolean => error.lines.some((line) => line.startsWith(`${variable}: `));
  const lines = error.lines.flatMap((line) => {
    const [variable = '', rule = ''] = line.split(/: (.*)/s, 2);
    const { from = [] } = told.get(variable) ?? {};
    const [source] = from;
    if (source === undefined) return [line];
    return from.some(isWrong) ? [] : [`${source}: ${variable}, which is made of it, ${rule}`];
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

function ofOneAddress({ INGRESS_PUBLIC_URL: url, TRUSTED_PROXY_HOPS: hops }: Environment): Record<string, Told> {
  const ws = isSet(url) ? url.trim().replace(/^http/i, 'ws') : '';
  return {
    ...(ws === '' ? {} : { GATEWAY_PUBLIC_URLS: { value: ws, from: ['INGRESS_PUBLIC_URL'] } }),
    ...(isSet(hops) ? { PROXY_HOPS: { value: hops, from: ['TRUSTED_PROXY_HOPS'] } } : {}),
  };
}

/** What says how another Redis is reached. */
const OF_ANOTHER = ['REDIS_URL_FILE', 'REDIS_PASSWORD', 'REDIS_PASSWORD_FILE', 'REDIS_SENTINEL_PASSWORD'];

/** The environment of roles whose Redis is this one, whatever they were told of another. */
export function withRedis(env: Environment, { url }: { readonly url: string }): Environment {
  const kept = Object.entries(env).filter(([name]) => !OF_ANOTHER.includes(name) && !name.startsWith('REDIS_TLS_'));
  return { ...Object.fromEntries(kept), REDIS_URL: url };
}
