import { availableParallelism } from 'node:os';

const ON_CLUSTER = { PUSHFLEET_TEST_REDIS: 'cluster' };

/** Files that mostly wait, for processes and clocks, leave room for more than processors. Jest takes no more than `100%`. */
const WAITING = Math.ceil(1.5 * availableParallelism());

/** Without Redis. */
const UNIT = { name: 'unit', projects: ['unit', 'contract'] };
/** What `alone` names runs after the others, one file at a time: it asks how long something takes. */
const WITH_REDIS = [
  { name: 'integration', projects: ['int'] },
  { name: 'end to end', projects: ['e2e'], alone: 'e2e-alone' },
  { name: 'faults', projects: ['faults'], alone: 'faults-alone' },
].map((suite) => ({ ...suite, workers: WAITING, needsServers: true }));
const onCluster = (suite) => ({ ...suite, name: `${suite.name}, cluster`, env: ON_CLUSTER });
const CLUSTER = WITH_REDIS.map(onCluster);

/** Rooms whose scripts and commands must keep to a slot: no other room speaks to Redis. */
const SPEAK_TO_REDIS = ['packages/store/', 'packages/queues/', 'packages/testing/'];
/** Each process once, on its way over all of them; data of a version before; slots that are asked for while they are away. */
const MEET_SLOTS = ['push', 'own-channel', 'upgrade', 'app-deletion', 'redis-killed', 'cluster-master-gone'];
const CLUSTER_IN_BRIEF = [
  { name: 'integration', projects: ['int'], files: SPEAK_TO_REDIS },
  { name: 'end to end and faults', projects: ['e2e', 'faults'], files: MEET_SLOTS.map((name) => `e2e/src/${name}\\.`) },
].map((suite) => onCluster({ ...suite, workers: WAITING, needsServers: true }));

/** What a killed process, a campaign and a device meet where all roles are one process; other files are about processes of one role. */
const MEET_ONE_PROCESS = [
  'compact',
  'push',
  'own-channel',
  'receipts',
  'process-killed',
  'answered-kept',
  'app-deletion',
];
const COMPACT = {
  ...{ name: 'end to end and faults, one process', projects: ['e2e', 'faults'], workers: WAITING, needsServers: true },
  files: MEET_ONE_PROCESS.map((name) => `e2e/src/${name}\\.`),
  env: { PUSHFLEET_TEST_SHAPE: 'compact' },
};

/** What one command runs; `checks` are the checks of `npm run check`. */
export const PLANS = {
  usual: { checks: true, suites: [UNIT, ...WITH_REDIS] },
  quick: { checks: false, suites: [UNIT] },
  cluster: { checks: false, suites: CLUSTER },
  compact: { checks: false, suites: [COMPACT] },
  ci: { checks: true, suites: [UNIT, ...WITH_REDIS, ...CLUSTER_IN_BRIEF] },
  all: { checks: true, suites: [UNIT, ...WITH_REDIS, ...CLUSTER, COMPACT] },
};
