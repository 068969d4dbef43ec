import { ConfigError, type SettledRole } from '@pushfleet/service-kit';

/** By the variables that tell them. */
const PORTS = ['INGRESS_PORT', 'GATEWAY_PORT', 'CONSOLE_PORT', 'USER_INFO_PORT', 'METRICS_PORT'] as const;

/** Throws a `ConfigError` that names every port which two of these roles would open. */
export function requireOwnPorts(roles: readonly Pick<SettledRole, 'config'>[]): void {
  const settings: Readonly<Record<string, unknown>> = Object.assign({}, ...roles.map(({ config }) => config));
  const firstAt = new Map<unknown, string>();
  const problems: string[] = [];
  for (const variable of PORTS) {
    const port = settings[variable];
    // 0 takes any free port.
    if (port === undefined || port === 0) continue;
    const first = firstAt.get(port);
    if (first === undefined) firstAt.set(port, variable);
    else problems.push(`${variable}: port ${String(port)} is that of ${first}, too; give it one of its own`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
