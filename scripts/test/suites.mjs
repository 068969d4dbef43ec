const ON_CLUSTER = { PUSHFLEET_TEST_REDIS: 'cluster' };

/** Without Redis. */
const UNIT = { name: 'unit', projects: ['unit', 'contract'] };
/** What `alone` names runs after the others, one file at a time: it asks how long something takes. */
const WITH_REDIS = [
  { name: 'integration', projects: ['int'] },
  { name: 'end to end', projects: ['e2e'], alone: 'e2e-alone' },
  { name: 'faults', projects: ['faults'], alone: 'faults-alone' },
].map((suite) => ({ ...suite, needsServers: true }));
const CLUSTER = WITH_REDIS.map((suite) => ({ ...suite, name: `${suite.name}, cluster`, env: ON_CLUSTER }));

/** What one command runs; `checks` are the checks of `npm run check`. */
export const PLANS = {
  usual: { checks: true, suites: [UNIT, ...WITH_REDIS] },
  quick: { checks: false, suites: [UNIT] },
  cluster: { checks: false, suites: CLUSTER },
  all: { checks: true, suites: [UNIT, ...WITH_REDIS, ...CLUSTER] },
};
