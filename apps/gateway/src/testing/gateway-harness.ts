/// <reference types="jest" />
import { channelOfVendor } from '@pushfleet/channels';
import type { AppWithKeys } from '@pushfleet/domain';
import { openMetrics, type Metrics } from '@pushfleet/service-kit';
import { openRedis, openStore, type Store } from '@pushfleet/store';
import { anApp, unique, type RedisHarness } from '@pushfleet/testing';
import { configSchema, type GatewayConfig } from '../config';
import { drain } from '../drain';
import { gatewayMetrics } from '../metrics';
import { openGateway, type Gateway } from '../open-gateway';

export interface RunningGateway extends Gateway {
  readonly metrics: Metrics;
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

export interface GatewayHarness {
  readonly app: AppWithKeys;
  readonly store: Store;
  open(changes?: Partial<GatewayConfig>): Promise<RunningGateway>;
  /** A push in the mailboxes of some installations, and the gateways told, as a worker does it. */
  push(installationIds: readonly string[], text?: string): Promise<string>;
  /** What waits for an installation. */
  delivered(pushId: string): Promise<number>;
}

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

/** Gateways in this process, over real Redis. */
export async function gatewayHarness(harness: RedisHarness): Promise<GatewayHarness> {
  const openTestStore = async (): Promise<Store> => {
    const redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
    harness.onClose(() => redis.disconnect());
    return openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
  };
  const store = await openTestStore();
  const app = anApp();
  await store.apps.create(app);
  return {
    app,
    store,
    open: async (changes = {}) => {
      const gateway = await openTestGateway(await openTestStore(), harness, changes);
      harness.onClose(() => gateway.stop());
      return gateway;
    },
    push: (installationIds, text = '{"alert":"hi"}') => pushTo({ store, app, installationIds, text }),
    delivered: async (pushId) => (await store.pushes.read(pushId))?.channels['own']?.delivered ?? 0,
  };
}

async function openTestGateway(
  store: Store,
  harness: RedisHarness,
  changes: Partial<GatewayConfig>,
): Promise<RunningGateway> {
  const env = { REDIS_URL: harness.url.split('?')[0], SECRET_KEY, GATEWAY_PORT: '0' };
  const config = { ...configSchema.parse(env), ...changes };
  const metrics = openMetrics('gateway');
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const gateway = await openGateway({ store, config, metrics: gatewayMetrics(metrics), now: Date.now, onError });
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
