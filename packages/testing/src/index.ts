export { openAuthority, type Authority, type IssuedCertificate } from './authority';
export { anApp, anInstallation, aPushRequest, unique } from './builders';
export { countCommands, type CommandCount } from './count-commands';
export { endConnection } from './end-connection';
export { keysIn } from './keys-in';
export { fakeClock, type FakeClock } from './fake-clock';
export { connectTestRedis, mastersOf } from './connect-test-redis';
export { redisHarness, type RedisHarness } from './redis-harness';
export {
  freePort,
  startRedisProcess,
  type RedisProcessServer,
  type RedisServer,
  type RedisServerOptions,
} from './redis-server';
export { outcomeCounts, recordedCounts } from './outcome-counts';
export { SECRET_KEY } from './secret-key';
export { seededRandom } from '@pushfleet/domain/testing';
export { startRedisCluster, type RedisCluster } from './redis-cluster';
export { startRedisSentinels, type RedisSentinels } from './redis-sentinels';
export { startRedisServer } from './start-redis-server';
export { until } from './until';
export { signInAtProvider, startOidcProvider, type OidcProvider } from './oidc-provider';
export { FleetProcesses, type FleetShape } from './fleet';
export { startService, type Service } from './service';
export { DeviceCrowd } from './device-crowd';
export { FATE_CASES, FATE_PROFILES, type FateCase } from './fate-cases';
export { DocumentedAnswers, type AnswersDocument } from './documented-answers';
export { OtherAnswer, startPushApi, type PushApi } from './push-api';
export { prepareLoad } from './load/start-load';
export type { LoadReport, LoadRound, PlannedCall } from './load/load-plan';
export { ProcessorWait } from './load/processor-wait';
export { Stalls } from './load/stalls';
