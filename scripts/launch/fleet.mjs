import { hasApp, inRoot } from './paths.mjs';

/** Apps with a public port; what is stopped first stands last. */
const PUBLIC_APPS = [
  { app: 'simulator', variable: 'SIMULATOR_PORT', usual: 8090 },
  { app: 'ingress', variable: 'INGRESS_PORT', usual: 8080 },
  { app: 'user-info', variable: 'USER_INFO_PORT', usual: 8081 },
  { app: 'gateway', variable: 'GATEWAY_PORT', usual: 8082 },
  { app: 'console', variable: 'CONSOLE_PORT', usual: 8083 },
].filter(({ app }) => hasApp(app));

export const publicPorts = PUBLIC_APPS.map(({ variable, usual }) => ({ variable, usual }));

/** What `channels` of the registry names, and the road that no vendor runs. */
const OWN_CHANNEL = 'own';

/** Every process of the fleet, in groups that are started one after the other and stopped in reverse. */
export function planFleet({ env, ports, host, redis, state, channels }) {
  const shared = {
    ...env,
    // Nobody who tries the fleet waits ten minutes for his devices to leave.
    DRAIN_MS: env.DRAIN_MS || '0',
    BIND_ADDRESS: host,
    METRICS_PORT: '0',
    LOG_TO: 'stdout',
    REDIS_URL: redis.url,
    KEY_PREFIX: redis.prefix,
    SECRET_KEY: state.secretKey,
    ADMIN_TOKEN: state.adminToken,
    ...Object.fromEntries(Object.entries(ports).map(([variable, port]) => [variable, String(port)])),
    INGRESS_PUBLIC_URL: env.INGRESS_PUBLIC_URL || urlOf(ports.INGRESS_PORT),
    ...vendorOrigins(channels, urlOf(ports.SIMULATOR_PORT)),
    SIGN_IN_LINKS: String(isLoopback(host)),
  };
  const service = (app, { name = app, ...more } = {}) => ({
    name,
    script: inRoot('apps', app, 'dist/main.js'),
    env: { ...shared, ...more },
  });
  const worker = (channel) => service('channel-worker', { name: `channel-worker-${channel}`, CHANNEL: channel });
  return [
    [service('simulator')],
    [...PUBLIC_APPS.filter(({ app }) => app !== 'simulator').map(({ app }) => service(app)), service('dispatcher')],
    [...Object.keys(channels), OWN_CHANNEL].map(worker),
  ];
}

/** Who may reach the demo from elsewhere gets no link that signs in. */
export const isLoopback = (host) => /^(127\.|localhost$|::1$)/.test(host);

const urlOf = (port) => `http://127.0.0.1:${port}`;

const vendorOrigins = (channels, simulator) =>
  Object.fromEntries(
    Object.values(channels).flatMap(({ endpoints }) => Object.keys(endpoints).map((variable) => [variable, simulator])),
  );
