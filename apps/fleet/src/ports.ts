import { ConfigError, listen, onOnePort, type Listen, type HttpServer, type SettledRole } from '@pushfleet/service-kit';

/** By the variables that tell them. */
const PORTS = ['INGRESS_PORT', 'GATEWAY_PORT', 'CONSOLE_PORT', 'USER_INFO_PORT', 'METRICS_PORT'] as const;

/** Doors that one port serves: the first gets the requests, the second the WebSockets. */
const ONE_ADDRESS = { requests: 'INGRESS_PORT', webSockets: 'GATEWAY_PORT' } as const;

type Settings = Readonly<Record<string, unknown>>;

const settingsOf = (roles: readonly Pick<SettledRole, 'config'>[]): Settings =>
  Object.assign({}, ...roles.map(({ config }) => config)) as Settings;

/** 0 takes any free port. */
const isOneAddress = ({ [ONE_ADDRESS.requests]: requests, [ONE_ADDRESS.webSockets]: webSockets }: Settings): boolean =>
  requests !== undefined && requests !== 0 && requests === webSockets;

/** How these roles open their ports. Throws a `ConfigError` that names every port which two of them cannot share. */
export function listenFor(roles: readonly Pick<SettledRole, 'config'>[]): Listen<HttpServer> {
  const settings = settingsOf(roles);
  const problems = [...portsTakenTwice(settings), ...hopsThatDiffer(settings)];
  if (problems.length > 0) throw new ConfigError(problems);
  return isOneAddress(settings) ? onOnePort(ONE_ADDRESS, listen) : listen;
}

function portsTakenTwice(settings: Settings): readonly string[] {
  const firstAt = new Map<unknown, string>();
  return PORTS.flatMap((variable) => {
    const port = settings[variable];
    if (port === undefined || port === 0) return [];
    const first = firstAt.get(port);
    if (first === undefined) firstAt.set(port, variable);
    const isShared = first === ONE_ADDRESS.requests && variable === ONE_ADDRESS.webSockets;
    if (first === undefined || isShared) return [];
    return [`${variable}: port ${String(port)} is that of ${first}, too; give it one of its own`];
  });
}

/** What stands before one port stands before both doors. */
function hopsThatDiffer(settings: Settings): readonly string[] {
  const { PROXY_HOPS: ofDevices, TRUSTED_PROXY_HOPS: ofCallers } = settings;
  if (!isOneAddress(settings) || ofDevices === ofCallers) return [];
  const port = String(settings[ONE_ADDRESS.requests]);
  return [
    `PROXY_HOPS: is ${String(ofDevices)} and TRUSTED_PROXY_HOPS is ${String(ofCallers)}, but the proxies before port ${port} are the same; set TRUSTED_PROXY_HOPS only`,
  ];
}
