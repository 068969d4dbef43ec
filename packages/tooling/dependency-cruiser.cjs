const MAY_IMPORT = {
  'packages/domain': [],
  'packages/service-kit': [],
  'packages/channel-kit': ['packages/domain'],
  'packages/queues': ['packages/domain'],
  'packages/store': ['packages/domain'],
  'packages/testing': ['packages/domain'],
  'packages/channels': ['packages/domain', 'packages/channel-kit'],
};
const TEST_CODE = '\\.test\\.ts$|^packages/testing/|/testing/|^apps/(simulator|bench|e2e)/';

const layers = Object.entries(MAY_IMPORT).map(([from, allowed]) => ({
  name: `layer:${from}`,
  comment: `${from} may import only ${allowed.join(', ') || 'nothing of ours'}: dependencies point one way.`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: '^(apps|packages)/', pathNot: [from, 'packages/testing', ...allowed].map((p) => `^${p}/`) },
}));

module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'apps-are-leaves',
      comment: 'An app is a process. What two apps share belongs in a package.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'packages-below-apps',
      comment: 'A package never imports an app.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'channels-are-strangers',
      comment: 'One channel folder never imports another.',
      severity: 'error',
      from: { path: '^packages/channels/src/([^/]+)/' },
      to: { path: '^packages/channels/src/', pathNot: '^packages/channels/src/$1/' },
    },
    {
      name: 'only-registry-names-channels',
      comment: 'A channel folder is reached through the registry and by nobody else.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: '^packages/channels/src/(registry[^/]*|[^/]+/.*)$' },
      to: { path: '^packages/channels/src/[^/]+/' },
    },
    {
      name: 'test-code-stays-in-tests',
      comment: 'Production code never imports test code or a simulator.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: [TEST_CODE, '/simulator\\.ts$', 'registry-simulators\\.ts$'] },
      to: {
        path: ['^packages/testing/', '/testing/', '/simulator\\.ts$', 'registry-simulators\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'queue-library-stays-in-queues',
      comment: 'BullMQ is known to packages/queues alone, so that every queue is typed and instrumented once.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: '^packages/queues/' },
      to: { path: 'node_modules/bullmq' },
    },
    {
      name: 'no-cycles',
      comment: 'A runtime cycle means that two files are one thing or that a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'declared-dependencies',
      comment: 'What a workspace imports stands in its package.json.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: TEST_CODE },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined', 'npm-dev'] },
    },
    {
      name: 'resolvable',
      comment: 'Every import must resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages)/[^/]+/dist/' },
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'packages/tooling/tsconfig.check.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
