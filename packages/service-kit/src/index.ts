export { addressOf } from './address-of';
export { ConfigError, isConfigError } from './config-error';
export {
  adminConfig,
  ceilingConfig,
  edgeConfig,
  logConfig,
  proxyConfig,
  redisConfig,
  secretConfig,
  tracingConfig,
} from './config-parts';
export { describeConfig, type ConfigVariable } from './describe-config';
export {
  DAY_MS,
  envBoolean,
  envDurationMs,
  envInteger,
  envList,
  envOrigin,
  envPort,
  envText,
  envUrl,
} from './env-types';
export { type HealthCheck } from './health';
export {
  DEFAULT_HTTP_LIMITS,
  httpLimitsOf,
  openHttpServer,
  type EdgeConfig,
  type HttpLimits,
  type HttpServer,
  type HttpServerOptions,
} from './http-server';
export { jobMetrics, type JobMetrics, type JobRun } from './job-metrics';
export { closeServer, listen, type Listening, type ListenOptions } from './listen';
export { loadConfig } from './load-config';
export { type Environment } from './secret-files';
export { createLogger, type LogConfig, type Logger } from './logger';
export { openMetrics, type Metrics } from './metrics';
export {
  jsonSchemaOf,
  OPENAPI_LICENSE,
  type JsonSchema,
  type OpenApiBody,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
} from './openapi';
export { networkOf } from './network-of';
export { openInstruments, type Instruments, type InstrumentsOptions } from './open-instruments';
export { originConfig, originsIn, type OriginOwner } from './origin-config';
export { isPrivateAddress } from './private-address';
export { type ProcessBoard, type ProcessFacts } from './process-beats';
export { repeat, type Repeated } from './repeat';
export { REFERENCE_PAGE_POLICY, referencePage } from './reference-page';
export { runRole, type Role, type RoleConfig, type RoleParts } from './run-role';
export { runService, type Announcement, type ServiceContext, type ServiceOptions } from './run-service';
export { isSameSecret } from './same-secret';
export { serveAdmin, type Admin, type AdminConfig, type AdminOptions } from './serve-admin';
export { NO_TRACING, openTracing, type Mark, type Tracing } from './tracing/tracing';
