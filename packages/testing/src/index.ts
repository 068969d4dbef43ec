export { anApp, anInstallation, aPushRequest, unique } from './builders';
export { FAKE_START_MS, fakeClock, type FakeClock } from './fake-clock';
export { connectTestRedis, mastersOf } from './connect-test-redis';
export { redisHarness, type RedisHarness } from './redis-harness';
export { startRedisServer, type RedisServer, type RedisServerOptions } from './redis-server';
export { until, type UntilOptions } from './until';
export { FleetProcesses, type FleetParts } from './fleet';
export { startService, type Service } from './service';
