const { existsSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '../..');
const SCOPE = '@pushfleet/';

/** What production code of a package may import of ours; an app may import any package. */
const MAY_IMPORT = {
  domain: [],
  'service-kit': [],
  'mac-auth': [],
  'own-protocol': [],
  dashboards: [],
  'console-web': [],
  'http-edge': ['domain', 'service-kit', 'store'],
  'channel-kit': ['domain'],
  queues: ['domain'],
  store: ['domain'],
  testing: ['domain'],
  channels: ['domain', 'channel-kit', 'own-protocol'],
};
/** Presets for tools, imported by no code. */
const NOT_LAYERED = ['tooling'];
/** `testing` imports it, so its own tests do without. */
const WITHOUT_TEST_KIT = 'domain';

const workspaces = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(ROOT, parent))
    .filter((name) => existsSync(join(ROOT, parent, name, 'package.json')))
    .map((name) => ({
      parent,
      name,
      path: `${parent}/${name}`,
      manifest: require(join(ROOT, parent, name, 'package.json')),
    })),
);

const unplaced = workspaces
  .filter(({ parent, name }) => parent === 'packages' && !MAY_IMPORT[name] && !NOT_LAYERED.includes(name))
  .map(({ name }) => name);
if (unplaced.length > 0) throw new Error(`MAY_IMPORT has no row for packages/${unplaced.join(', packages/')}`);

const TEST_FILES = ['\\.test\\.ts$', '/testing/', '/__fixtures__/', '^packages/testing/'];
const SIMULATORS = ['/simulator\\.ts$', '/registry-simulators\\.ts$'];
const TEST_APPS = ['^apps/(simulator|bench|e2e)/'];

/** Runs the roles of other apps in one process. */
const ROLE_RUNNER = '^apps/fleet/';

const folder = (name) => `^packages/${name}/`;

const layers = Object.entries(MAY_IMPORT).map(([name, allowed]) => {
  const testKit = name === WITHOUT_TEST_KIT ? [] : ['testing'];
  return {
    name: `layer:${name}`,
    comment: `packages/${name} may import only ${allowed.join(', ') || 'nothing of ours'}: dependencies point one way.`,
    from: { path: folder(name) },
    to: { path: '^(apps|packages)/', pathNot: [name, ...testKit, ...allowed].map(folder) },
  };
});

/** Where a package lets others in. */
const doors = workspaces.flatMap(({ path, manifest }) =>
  Object.values(manifest.exports ?? {})
    .map((door) => door.source ?? door.default ?? door)
    .map((file) => `^${join(path, file).replaceAll('.', '\\.')}$`),
);

/** npm links every workspace for every other, so an import that is not declared resolves all the same. */
const declaredWorkspaces = workspaces.map(({ path, manifest }) => ({
  name: `declared-workspaces:${path}`,
  comment: 'What a workspace imports stands in its package.json.',
  from: { path: `^${path}/`, pathNot: TEST_FILES },
  to: {
    path: '^(apps|packages)/',
    pathNot: [
      `^${path}/`,
      ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
        .filter((name) => name.startsWith(SCOPE))
        .map((name) => `^(apps|packages)/${name.slice(SCOPE.length)}/`),
    ],
  },
}));

/** What a room of the store may import beside the kit: another room's index. */
const STORE_ROOMS = {
  kit: [],
  accounts: [],
  people: [],
  fleet: [],
  pushes: [],
  preflights: ['pushes'],
  users: [],
  messaging: [],
  installations: ['accounts', 'messaging', 'own-channel'],
  'own-channel': ['pushes'],
  pacing: ['pushes'],
  format: ['accounts', 'fleet', 'installations'],
  sealing: ['accounts', 'users'],
  purge: [
    'accounts',
    'format',
    'installations',
    'messaging',
    'own-channel',
    'pacing',
    'people',
    'fleet',
    'preflights',
    'pushes',
    'sealing',
    'users',
  ],
};
const STORE = '^packages/store/src/';
const unplacedRooms = readdirSync(join(ROOT, 'packages/store/src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'testing' && !STORE_ROOMS[entry.name])
  .map(({ name }) => name);
if (unplacedRooms.length > 0)
  throw new Error(`STORE_ROOMS has no row for packages/store/src/${unplacedRooms.join(', ')}`);

const storeRooms = Object.entries(STORE_ROOMS).map(([room, allowed]) => ({
  name: `store-room:${room}`,
  comment: `The room ${room} imports of the store only ${['the kit', ...allowed].join(', ')}: rooms depend one way.`,
  from: { path: `${STORE}${room}/`, pathNot: TEST_FILES },
  to: { path: STORE, pathNot: [`${STORE}(${[room, 'kit', ...allowed].join('|')})/`, ...TEST_FILES] },
}));

const rules = [
  ...layers,
  ...declaredWorkspaces,
  ...storeRooms,
  {
    name: 'store-rooms-have-one-door',
    comment: 'A room of the store is entered through its index; the kit is open to all of them.',
    from: { path: `${STORE}([^/]+)/`, pathNot: TEST_FILES },
    to: { path: STORE, pathNot: [`${STORE}$1/`, `${STORE}kit/`, `${STORE}[^/]+/index\\.ts$`] },
  },
  {
    name: 'store-enters-rooms-by-their-door',
    comment: 'The composition of the store knows the indexes of its rooms and the kit.',
    from: { path: `${STORE}[^/]+\\.ts$`, pathNot: TEST_FILES },
    to: { path: `${STORE}[^/]+/`, pathNot: [`${STORE}kit/`, `${STORE}[^/]+/index\\.ts$`] },
  },
  {
    name: 'apps-are-leaves',
    comment: 'An app is a process, and nobody imports one. What two apps share belongs in a package.',
    from: { path: '^(apps|packages)/([^/]+)/', pathNot: ROLE_RUNNER },
    to: { path: '^apps/', pathNot: '^$1/$2/' },
  },
  {
    name: 'roles-only',
    comment: 'The process of several roles imports the role of an app, by its door, and nothing else of it.',
    from: { path: ROLE_RUNNER },
    to: { path: '^apps/', pathNot: [ROLE_RUNNER, '^apps/[^/]+/src/role\\.ts$'] },
  },
  {
    name: 'front-doors-only',
    comment: 'A package is entered through what its exports name, never by a path into its src.',
    from: { path: '^((?:apps|packages)/[^/]+)/' },
    to: { path: '^packages/', pathNot: ['^$1/', ...doors] },
  },
  {
    name: 'channels-are-strangers',
    comment: 'One channel folder never imports another, nor a file that they would share.',
    from: { path: '^packages/channels/src/([^/]+)/' },
    to: { path: '^packages/channels/src/', pathNot: '^packages/channels/src/$1/' },
  },
  {
    name: 'only-registry-names-channels',
    comment: 'A channel folder is reached through the registry and by nobody else.',
    from: { path: '^(apps|packages)/', pathNot: '^packages/channels/src/(registry[^/]*|[^/]+/.*)$' },
    to: { path: '^packages/channels/src/[^/]+/' },
  },
  {
    name: 'test-code-stays-in-tests',
    comment: 'Production code never imports test code or a simulator.',
    from: { path: '^(apps|packages)/', pathNot: [...TEST_FILES, ...SIMULATORS, ...TEST_APPS] },
    to: { path: [...TEST_FILES, ...SIMULATORS], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'queue-library-stays-in-queues',
    comment: 'BullMQ is known to packages/queues alone, so that every queue is typed and instrumented once.',
    from: { path: '^(apps|packages)/', pathNot: folder('queues') },
    to: { path: 'node_modules/bullmq/' },
  },
  {
    name: 'fuzz-stays-behind-its-door',
    comment: 'The fuzz library takes longer to load than most tests take: only tests that fuzz import it.',
    from: { path: '^packages/testing/src/', pathNot: '^packages/testing/src/fuzz/' },
    to: { path: '^packages/testing/src/fuzz/' },
  },
  {
    name: 'no-cycles',
    comment: 'A cycle, of types too, means that two files are one thing or that a third is missing.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'declared-dependencies',
    comment: 'A library that a workspace imports stands in its own package.json.',
    from: {
      path: '^(apps|packages)/',
      pathNot: [...TEST_FILES, ...['tooling', 'dashboards', 'console-web'].map(folder)],
    },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined', 'npm-dev'] },
  },
  {
    name: 'declared-dependencies-of-pages',
    comment: 'The same for the pages of the console, which are bundled: all of it is for development.',
    from: { path: folder('console-web') },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'resolvable',
    comment: 'Every import must resolve; the types of the client of the pages are written when these are built.',
    from: {},
    to: { couldNotResolve: true, pathNot: '^\\./schema$' },
  },
];

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages)/[^/]+/dist/' },
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
