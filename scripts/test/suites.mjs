import { availableParallelism } from 'node:os';

const ON_CLUSTER = { PUSHFLEET_TEST_REDIS: 'cluster' };

/** Files that mostly wait, for processes and clocks, leave room for more than processors. Jest takes no more than `100%`. */
const WAITING = Math.ceil(1.5 * availableParallelism());

/** Without Redis. */
const UNIT = { name: 'unit', projects: ['unit', 'contract'] };
/** What `alone` names runs after the others, one file at a time: it asks how long something takes. */
const END_TO_END = { name: 'end to end', projects: ['e2e'], alone: 'e2e-alone' };
const FAULTS = { name: 'faults', projects: ['faults'], alone: 'faults-alone' };
const withRedis = (suite) => ({ ...suite, workers: WAITING, needsServers: true });
const WITH_REDIS = [{ name: 'integration', projects: ['int'] }, END_TO_END, FAULTS].map(withRedis);
const onCluster = (suite) => ({ ...suite, name: `${suite.name}, cluster`, env: ON_CLUSTER });
const CLUSTER = WITH_REDIS.map(onCluster);

/** Rooms whose scripts and commands must keep to a slot: no other room speaks to Redis. */
const SPEAK_TO_REDIS = ['packages/store/', 'packages/queues/', 'packages/testing/'];
/** Each process once, on its way over all of them; data of a version before; slots that are asked for while they are away. */
const MEET_SLOTS = ['push', 'own-channel', 'upgrade', 'app-deletion', 'redis-killed', 'cluster-master-gone'];
const CLUSTER_IN_BRIEF = [
  { name: 'integration', projects: ['int'], files: SPEAK_TO_REDIS },
  { name: 'end to end and faults', projects: ['e2e', 'faults'], files: MEET_SLOTS.map((name) => `e2e/src/${name}\\.`) },
].map((suite) => onCluster(withRedis(suite)));

/** Files that one process for all roles would tell nothing new. */
const NOT_IN_ONE_PROCESS = [
  // They start no fleet, or npm start, or a fleet whose shape they name: the usual suites run these in one process, too.
  ...['chat-start', 'compact', 'compose-secrets', 'early-signal', 'first-task', 'growing-drill', 'lean-start'],
  ...['new-channel', 'one-address', 'redis-absent', 'release', 'release-version', 'serve', 'serve-redis-dir', 'start'],
  ...['left-behind', 'tls', 'vendor-clients'],
  // About one process of a role beside another: its replacement, its silence, its own name in lists, graphs and traces.
  ...['operators-drill', 'processes', 'prometheus', 'tracing', 'upgrade', 'worker-silent'],
];
const COMPACT = [END_TO_END, FAULTS].map(withRedis).map((suite) => ({
  ...suite,
  name: `${suite.name}, one process`,
  env: { PUSHFLEET_TEST_SHAPE: 'compact' },
  besides: NOT_IN_ONE_PROCESS.map((name) => `e2e/src/${name}\\.`),
}));

/** What one command runs; `checks` are the checks of `npm run check`. */
export const PLANS = {
  usual: { checks: true, suites: [UNIT, ...WITH_REDIS] },
  quick: { checks: false, suites: [UNIT] },
  cluster: { checks: false, suites: CLUSTER },
  compact: { checks: false, suites: COMPACT },
  ci: { checks: true, suites: [UNIT, ...WITH_REDIS, ...CLUSTER_IN_BRIEF] },
  all: { checks: true, suites: [UNIT, ...WITH_REDIS, ...CLUSTER, ...COMPACT] },
};
