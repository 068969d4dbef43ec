import {
  ConfigError,
  isConfigError,
  settleRole,
  type Environment,
  type Role,
  type RoleConfig,
  type SettledRole,
} from '@pushfleet/service-kit';
import { loadConfig, type Choice, type RoleName } from './config';

type Settle = (env: Environment) => SettledRole;

const settling =
  <Config extends RoleConfig>({ role }: { readonly role: Role<Config> }): Settle =>
  (env) =>
    settleRole(role, env);

/** What a process does not run it does not load. */
const ROLES: Readonly<Record<RoleName, () => Promise<Settle>>> = {
  ingress: async () => settling(await import('@pushfleet/ingress/role')),
  dispatcher: async () => settling(await import('@pushfleet/dispatcher/role')),
  worker: async () => settling(await import('@pushfleet/channel-worker/role')),
  gateway: async () => settling(await import('@pushfleet/gateway/role')),
  console: async () => settling(await import('@pushfleet/console/role')),
  'user-info': async () => settling(await import('@pushfleet/user-info/role')),
};

/** Whoever answers finds the others at work; when they stop, nothing new comes in first. */
const WAVES: readonly (readonly RoleName[])[] = [
  ['dispatcher', 'worker'],
  ['ingress', 'gateway', 'console', 'user-info'],
];

/** The roles of a process, in waves, as they are opened. Throws one `ConfigError` with all that is wrong, for any of them or all. */
export async function settleRoles(
  { ROLES: names, CHANNEL: channels }: Choice,
  env: Environment,
): Promise<readonly (readonly SettledRole[])[]> {
  const problems = new Set<string>();
  const attempt = <T>(settle: (env: Environment) => T, environment: Environment): readonly T[] => {
    try {
      return [settle(environment)];
    } catch (error) {
      if (!isConfigError(error)) throw error;
      for (const line of error.lines) problems.add(line);
      return [];
    }
  };
  attempt(loadConfig, env);
  const settled = async (name: RoleName): Promise<readonly SettledRole[]> => {
    const settle = await ROLES[name]();
    if (name !== 'worker') return attempt(settle, env);
    return channels.flatMap((channel) => attempt(settle, { ...env, CHANNEL: channel }));
  };
  const waves = await Promise.all(
    WAVES.map(async (wave) => (await Promise.all(wave.filter((name) => names.includes(name)).map(settled))).flat()),
  );
  if (problems.size > 0) throw new ConfigError([...problems]);
  return waves;
}
