import { randomBytes } from 'node:crypto';
import type { RoleParts } from '@pushfleet/service-kit';
import type { Store } from '@pushfleet/store';
import { Addresses } from './addresses';
import type { GatewayConfig } from './config';
import { startHeartbeat, type Heartbeat } from './heartbeat';
import { Hub, type HubPorts } from './hub';
import { openMessageCache } from './message-cache';
import type { GatewayMetrics } from './metrics';
import { hubReports, serverReports } from './report';
import { DeviceServer } from './server';
import { Turns } from './turns';

export interface GatewayParts {
  readonly store: Store;
  readonly config: GatewayConfig;
  readonly metrics: GatewayMetrics;
  readonly listen: RoleParts<GatewayConfig>['listen'];
  readonly certificate?: RoleParts<GatewayConfig>['certificate'];
  /** Tells when messages expire, and nothing else: it may be set ahead or back. */
  readonly now: () => number;
  readonly onError: HubPorts['onError'];
}

export interface Gateway {
  readonly node: string;
  /** Where this machine reaches it. */
  readonly url: string;
  /** Where devices reach it. */
  readonly urls: readonly string[];
  readonly server: DeviceServer;
  readonly heartbeat: Heartbeat;
  stopWatching(): void;
}

const WATCH_MS = 5000;

/** For silence, limits and turns. */
const elapsedMs = (): number => performance.now();

/** Listens, and is known to the fleet when this resolves. */
export async function openGateway(parts: GatewayParts): Promise<Gateway> {
  const { store, config, metrics, onError } = parts;
  const node = randomBytes(8).toString('hex');
  const limits = { connections: config.CONNECTIONS_PER_ADDRESS, loginsPerSecond: config.LOGINS_PER_ADDRESS };
  const addresses = new Addresses(limits, elapsedMs);
  const messages = openMessageCache(store.mailboxes, parts.now);
  const hub = new Hub({ ...store, node, messages, addresses, now: elapsedMs, ...hubReports(metrics), onError });
  const turns = new Turns({
    now: elapsedMs,
    soon: setImmediate,
    onWait: () => metrics.frameWaits.inc(),
  });
  const server = new DeviceServer(
    {
      addresses,
      now: elapsedMs,
      idPrefix: randomBytes(4).toString('hex'),
      ...serverReports(metrics, hub),
      maxBufferedBytes: config.MAX_BUFFERED_BYTES,
      framesPerSecond: config.FRAMES_PER_SECOND,
      bytesPerSecond: bytesPerSecond(config),
      turns,
      onFault: (error: unknown) => onError(error, 'frame'),
    },
    {
      maxFrameBytes: config.MAX_FRAME_BYTES,
      loginTimeoutMs: config.LOGIN_TIMEOUT_MS,
      idleTimeoutMs: config.IDLE_TIMEOUT_MS,
      bufferedBytesPerAddress: config.BUFFERED_BYTES_PER_ADDRESS,
      proxyHops: config.PROXY_HOPS,
      certificate: parts.certificate,
    },
  );
  const { GATEWAY_PORT: port, BIND_ADDRESS: host } = config;
  const listening = await parts.listen(server.http, { port, host, variable: 'GATEWAY_PORT' });
  const url = listening.url.replace('http', 'ws');
  const urls = config.GATEWAY_PUBLIC_URLS ?? [url];
  const heartbeat = await startHeartbeat({
    gateways: store.gateways,
    node,
    urls,
    now: elapsedMs,
    onError,
    onHint: (hint) => hub.hear(hint),
    onGap() {
      metrics.gaps.inc();
      void hub.resync();
    },
  });
  const watch = setInterval(() => look(server, hub, parts), watchEveryMs(config));
  return { node, url, urls, server, heartbeat, stopWatching: () => clearInterval(watch) };
}

/** What stands around a frame, and around a ping or two beside it. */
const HEAD_BYTES = 1024;

/** One of the largest frames is always allowed. */
const bytesPerSecond = ({ BYTES_PER_SECOND, MAX_FRAME_BYTES }: GatewayConfig): number =>
  BYTES_PER_SECOND === 0 ? 0 : Math.max(BYTES_PER_SECOND, MAX_FRAME_BYTES + HEAD_BYTES);

const watchEveryMs = ({ LOGIN_TIMEOUT_MS, IDLE_TIMEOUT_MS }: GatewayConfig): number =>
  Math.min(WATCH_MS, LOGIN_TIMEOUT_MS / 3, IDLE_TIMEOUT_MS / 3);

function look(server: DeviceServer, hub: Hub, { store, metrics, onError }: GatewayParts): void {
  server.sweep();
  hub.tend().catch((error: unknown) => onError(error, 'renew'));
  store.confirmations.flush().catch((error: unknown) => onError(error, 'confirm'));
  metrics.connections.set(server.size);
  metrics.installations.set(hub.size);
}
