export { HalfPace } from './half-pace';
export { addressOf } from './address-of';
export {
  adminConfig,
  apiConfig,
  ceilingConfig,
  installationAges,
  logConfig,
  processConfig,
  secretConfig,
  tlsConfig,
} from './config-parts';
export { ConfigError, isConfigError } from './config-error';
export { describeConfig, type ConfigVariable } from './describe-config';
export { closeAtSignal } from './close-at-signal';
export {
  DAY_MS,
  envBoolean,
  envInteger,
  envLimit,
  envList,
  envOrigin,
  envPeriod,
  envPort,
  envText,
  envUrl,
} from './env-types';
export { FairGate, type GateLimits } from './fair-gate';
export { httpLimitsOf, openHttpServer, type EdgeConfig, type HttpServer, type HttpServerOptions } from './http-server';
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http-limits';
export { jobMetrics, type JobMetrics } from './job-metrics';
export { lastingTimeout } from './lasting-timeout';
export { closeServer, listen, openDoor, type Listen } from './listen';
export { configLoader, isMissing, loadConfig } from './load-config';
export { misspelledSettings, warnOfMisspelled } from './misspelled-settings';
export { processEnv } from './config';
export { type Environment } from './secret-files';
export { createLogger, type Logger } from './logger';
export { openMetrics, type Metrics } from './metrics';
export { networkOf } from './network-of';
export { originConfig, originsIn } from './origin-config';
export { isPrivateAddress } from './private-address';
export { repeat, type Repeated } from './repeat';
export { openInstruments } from './open-instruments';
export { onOnePort } from './on-one-port';
export { openRoles } from './open-roles';
export { runRole, settleRole, type Role, type RoleConfig, type RoleParts, type SettledRole } from './run-role';
export { runService, type ServiceContext } from './run-service';
export { isSameSecret } from './same-secret';
export { serveAdmin } from './serve-admin';
export { ROUTED, type Routed } from './tracing/routed';
export { NO_TRACING, type Mark, type Tracing } from './tracing/tracing';
