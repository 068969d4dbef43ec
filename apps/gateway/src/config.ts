import { LIMITS } from '@pushfleet/domain';
import {
  configLoader,
  envPeriod,
  envInteger,
  envLimit,
  envList,
  envPort,
  envUrl,
  processConfig,
  tlsConfig,
} from '@pushfleet/service-kit';
import { z } from 'zod';

export const configSchema = z.object({
  GATEWAY_PORT: envPort()
    .default(8082)
    .describe(
      'Port that the devices’ WebSockets are opened on; where ingress and gateway are one process, it may be `INGRESS_PORT`.',
    ),
  GATEWAY_PUBLIC_URLS: envList(envUrl({ protocols: ['ws:', 'wss:'] }))
    .optional()
    .describe('Where devices reach this gateway, one or more ws:// or wss:// URLs; without it, its own port.'),
  LOGIN_TIMEOUT_MS: envPeriod(15_000, 'How long a connection may wait with its login.', { min: 100 }),
  IDLE_TIMEOUT_MS: envPeriod(
    400_000,
    'Silence after which a connection is given up; some clients ping every 180 s only.',
    { min: 100 },
  ),
  MAX_FRAME_BYTES: envInteger({ min: 1024, max: 16_777_216 })
    .default(LIMITS.frameBytes.value)
    .describe('Largest frame of a device.'),
  MAX_BUFFERED_BYTES: envInteger({ min: 65_536 })
    .default(LIMITS.bufferedBytes.value)
    .describe('What may wait for a device that reads slowly before its connection is dropped.'),
  BUFFERED_BYTES_PER_ADDRESS: envLimit(
    LIMITS.bufferedBytesPerAddress.value,
    'What may wait for all devices of one IPv4 address or IPv6 /64 network before those are dropped that read most slowly; 0 = no limit.',
  ),
  FRAMES_PER_SECOND: envLimit(
    LIMITS.framesPerSecond.value,
    'Frames, pings and pongs among them, that one connection may send in a second beside acknowledgements of what it got; 0 = no limit.',
    100_000,
  ),
  BYTES_PER_SECOND: envLimit(
    LIMITS.deviceBytesPerSecond.value,
    'Bytes that one connection may send in a second, at least one of the largest frames; 0 = no limit.',
  ),
  CONNECTIONS_PER_ADDRESS: envLimit(
    LIMITS.connectionsPerAddress.value,
    'Connections that one IPv4 address or IPv6 /64 network may have; 0 = no limit.',
  ),
  LOGINS_PER_ADDRESS: envLimit(
    LIMITS.loginsPerAddress.value,
    'Logins per second that one such address may make; more of them wait for their turn. 0 = no limit.',
    1000,
  ),
  PROXY_HOPS: envInteger({ min: 0, max: 10 })
    .default(0)
    .describe('Trusted proxies in front; a device’s address is then taken from X-Forwarded-For.'),
  DRAIN_MS: envPeriod(600_000, 'How long a stopping gateway keeps its devices, which may not reconnect by themselves.'),
  ...tlsConfig,
  ...processConfig,
});

export type GatewayConfig = z.output<typeof configSchema>;

export const loadConfig = configLoader(configSchema, process.env);
