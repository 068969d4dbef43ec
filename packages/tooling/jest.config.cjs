const { resolve } = require('node:path');
const { chromiumPath } = require('../../scripts/test/chromium.cjs');

const root = resolve(__dirname, '../..');

// Not UTC, and with a clock that changes: what reads or writes a date in the zone of the machine shows.
process.env.TZ = 'Europe/Berlin';
process.env.PUSHFLEET_CHROMIUM = chromiumPath();

/** One project per kind of test; the file name says which kind a test is. */
const project = (name, pattern, extra = {}) => ({
  displayName: name,
  // One cache of transformed files for all kinds.
  id: 'pushfleet',
  rootDir: root,
  roots: ['<rootDir>/apps', '<rootDir>/packages'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'require', 'node', 'default'] },
  testMatch: [pattern],
  modulePathIgnorePatterns: ['/dist/'],
  // They are ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!(openid-client|oauth4webapi|jose)/)'],
  transform: {
    '/node_modules/.+\\.js$': [
      require.resolve('@swc/jest'),
      { jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
    '^.+\\.ts$': [
      require.resolve('@swc/jest'),
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  ...extra,
});

const withRedis = {
  globalSetup: resolve(root, 'packages/testing/src/start-redis.ts'),
  globalTeardown: resolve(root, 'packages/testing/src/stop-redis.ts'),
};

module.exports = {
  rootDir: root,
  projects: [
    project('unit', '**/src/**/!(*.int|*.contract|*.e2e|*.fault).test.ts'),
    project('contract', '**/src/**/*.contract.test.ts'),
    project('int', '**/src/**/*.int.test.ts', withRedis),
    project('e2e', '**/src/**/!(*.alone).e2e.test.ts'),
    project('e2e-alone', '**/src/**/*.alone.e2e.test.ts'),
    project('faults', '**/src/**/!(*.alone).fault.test.ts'),
    project('faults-alone', '**/src/**/*.alone.fault.test.ts'),
  ],
  testSequencer: resolve(__dirname, 'longest-first.cjs'),
  // The end of what never comes, on the busiest machine.
  testTimeout: 180_000,
  // The runner does not let go of the modules of past files: a process that ran many is replaced.
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
};
