/// <reference types="jest" />
import { channelOfVendor } from '@pushfleet/channels';
import type { AppWithKeys } from '@pushfleet/domain';
import { listen, openMetrics, type Metrics } from '@pushfleet/service-kit';
import { Books, openRedis, openStore, type Store } from '@pushfleet/store';
import { anApp, type RedisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { configSchema, type GatewayConfig } from '../config';
import { drain } from '../drain';
import { gatewayMetrics } from '../metrics';
import { openGateway, type Gateway } from '../open-gateway';
import { Device, type ConnectOptions } from './device';

export interface RunningGateway extends Gateway {
  readonly metrics: Metrics;
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

export interface GatewayHarness {
  readonly app: AppWithKeys;
  readonly store: Store;
  /** Where devices connect unless they name another. */
  readonly gateway: RunningGateway;
  /** Another gateway, whose wall clock may go wrong. */
  open(changes?: Partial<GatewayConfig>, now?: () => number): Promise<RunningGateway>;
  connect(options?: TestConnection): Promise<Device>;
  loggedIn(installationId: string, options?: TestConnection): Promise<Device>;
  /** All that have connected since the last time. */
  closeDevices(): Promise<void>;
  /** A push in the mailboxes of some installations, and the gateways told, as a worker does it. */
  push(installationIds: readonly string[], text?: string): Promise<string>;
  /** How often a push was acknowledged. */
  delivered(pushId: string): Promise<number>;
}

export interface TestConnection extends ConnectOptions {
  readonly to?: RunningGateway;
}

/** Gateways in this process, over real Redis; call it once at the top of a test file. */
export function gatewayHarness(harness: RedisHarness, changes: Partial<GatewayConfig> = {}): GatewayHarness {
  const app = anApp();
  const devices: Device[] = [];
  const started: { store?: Store; gateway?: RunningGateway } = {};
  const openTestStore = async (): Promise<Store> => {
    const redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
    harness.onClose(() => redis.disconnect());
    return openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
  };
  const open: GatewayHarness['open'] = async (more = {}, now = Date.now) => {
    const gateway = await openTestGateway({ store: await openTestStore(), harness, now }, more);
    harness.onClose(() => gateway.stop());
    return gateway;
  };

  beforeAll(async () => {
    started.store = await openTestStore();
    await started.store.apps.create(app);
    started.gateway = await open(changes);
  });

  const store = (): Store => present(started.store);
  const gateway = (): RunningGateway => present(started.gateway);
  const connect: GatewayHarness['connect'] = async ({ to = gateway(), ...options } = {}) => {
    const device = await Device.connect(to.url, options);
    devices.push(device);
    return device;
  };
  return {
    app,
    get store() {
      return store();
    },
    get gateway() {
      return gateway();
    },
    open,
    connect,
    loggedIn: async (installationId, options) => (await connect(options)).login(app.id, installationId),
    async closeDevices() {
      await Promise.all(devices.splice(0).map((device) => device.close()));
    },
    push: (installationIds, text = '{"alert":"hi"}') => pushTo({ store: store(), app, installationIds, text }),
    delivered: async (pushId) => (await store().pushes.read(pushId))?.channels['own']?.delivered ?? 0,
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the gateway is started before the tests, not while they are declared');
  return value;
}

async function openTestGateway(
  { store, harness, now }: { store: Store; harness: RedisHarness; now: () => number },
  changes: Partial<GatewayConfig>,
): Promise<RunningGateway> {
  const env = { REDIS_URL: harness.url.split('?')[0], GATEWAY_PORT: '0' };
  const config = { ...configSchema.parse(env), ...changes };
  const metrics = openMetrics('gateway');
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const gateway = await openGateway({
    ...{ store, config, listen, onError },
    ...{ metrics: gatewayMetrics(metrics), now },
  });
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const { server, heartbeat } = gateway;
    await drain({ server, heartbeat, cutoff: AbortSignal.abort(), drainMs: 0, log: { info: () => undefined } });
    gateway.stopWatching();
    await heartbeat.stop();
  };
  return { ...gateway, metrics, errors, stop: () => (stopped ??= stop()) };
}

interface TestPush {
  readonly store: Store;
  readonly app: AppWithKeys;
  readonly installationIds: readonly string[];
  readonly text: string;
}

async function pushTo({ store, app, installationIds, text }: TestPush): Promise<string> {
  const now = Date.now();
  const expiresAt = now + 60_000;
  const [accepted] = await store.acceptPushes([
    {
      ...{ app: app.id, content: { data: {}, sections: {} }, audience: {}, where: {}, prod: 'prod', pushTime: now },
      ...{ expiresAt, isScheduled: false },
    },
  ]);
  const pushId = accepted?.pushId ?? unique('none');
  const books = new Books('own');
  books.add('matched', installationIds.length);
  books.accept(installationIds.length);
  await store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now });
  const push = { pushId, app: app.id, text, expiresAt };
  const stored = await store.mailboxes.put({ push, installationIds, limit: 50 });
  const reference = `${pushId} ${expiresAt}`;
  for (const { presence, installationId } of stored) {
    if (!presence) continue;
    await store.gateways.hint(presence.node, {
      kind: 'stored',
      app: app.id,
      reference,
      installationIds: [installationId],
    });
  }
  return pushId;
}
