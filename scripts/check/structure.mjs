import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inRoot } from '../launch/paths.mjs';

const CHANNELS = 'packages/channels/src';
const CHANNEL_FILES = [
  ...['index.ts', 'profile.ts', 'request.ts', 'answer.ts', 'codes.ts', 'simulator.ts', 'endpoints.ts'],
  ...['README.md', '__fixtures__'],
];
const APP_FILES = ['src/main.ts', 'src/role.ts', 'src/config.ts', 'src/metrics.ts', 'README.md'];
/** What is not a process of the fleet has less to configure and nothing to measure. */
const APPS_WITH_LESS = {
  simulator: ['src/role.ts'],
  cli: ['src/role.ts', 'src/metrics.ts'],
  // It runs the roles of others, which bring theirs.
  fleet: ['src/role.ts', 'src/metrics.ts'],
  bench: ['src/role.ts', 'src/config.ts', 'src/metrics.ts'],
  e2e: ['src/main.ts', 'src/role.ts', 'src/config.ts', 'src/metrics.ts'],
};

/** Nothing but tests, which run from their sources. */
const NOT_BUILT = ['apps/e2e'];

/** Every file that is missing, every channel that the registry does not know, all that a build would leave out. */
export const findMisplaced = () => [
  ...misplacedChannels(),
  ...misplacedApps(),
  ...misplacedPackages(),
  ...unbuiltWorkspaces(),
  ...unbuiltExports(),
];

function misplacedChannels() {
  const registry = read(`${CHANNELS}/registry-channels.ts`);
  return foldersIn(CHANNELS).flatMap((name) => {
    const folder = `${CHANNELS}/${name}`;
    return [
      ...missing(folder, CHANNEL_FILES),
      ...receiptComplaints(folder),
      ...(registry.includes(`from './${name}'`) ? [] : [`${folder}: registry-channels.ts has no line for it`]),
      ...simulatorComplaints(folder),
    ];
  });
}

/** `registry-simulators.ts` finds a simulator and its profile by these names. */
function simulatorComplaints(folder) {
  const path = `${folder}/simulator.ts`;
  if (!existsSync(inRoot(path))) return [];
  return ['makeSimulator', 'SIMULATOR_PROFILE']
    .filter((name) => !new RegExp(`^export (function|const) ${name}\\b`, 'm').test(read(path)))
    .map((name) => `${path}: exports no ${name}`);
}

function receiptComplaints(folder) {
  if (!existsSync(inRoot(folder, 'index.ts'))) return [];
  const isDeclared = /\breceipts: true\b/.test(read(`${folder}/index.ts`));
  const isThere = existsSync(inRoot(folder, 'receipt.ts'));
  if (isDeclared === isThere) return [];
  return [`${folder}: ${isDeclared ? 'declares receipts without' : 'declares no receipts but has'} receipt.ts`];
}

const misplacedApps = () =>
  foldersIn('apps').flatMap((name) => {
    const exempt = APPS_WITH_LESS[name] ?? [];
    return missing(
      `apps/${name}`,
      APP_FILES.filter((file) => !exempt.includes(file)),
    );
  });

const misplacedPackages = () => foldersIn('packages').flatMap((name) => missing(`packages/${name}`, ['README.md']));

function unbuiltWorkspaces() {
  const { references } = JSON.parse(read('tsconfig.json'));
  const built = new Set(references.map(({ path }) => path));
  return ['packages', 'apps']
    .flatMap((parent) => foldersIn(parent).map((name) => `${parent}/${name}`))
    .filter((path) => existsSync(inRoot(path, 'tsconfig.json')) && !built.has(path) && !NOT_BUILT.includes(path))
    .map((path) => `${path}: the references of tsconfig.json do not name it, so that npm run build leaves it out`);
}

/** A source that the build leaves out is found by the tests, which read sources, and by no process, which reads `dist`. */
function unbuiltExports() {
  return foldersIn('packages')
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(inRoot(folder, 'tsconfig.json')))
    .flatMap((folder) => {
      const { exclude = [] } = JSON.parse(read(`${folder}/tsconfig.json`));
      const { exports = {} } = JSON.parse(read(`${folder}/package.json`));
      return Object.entries(exports).flatMap(([name, { source = '' }]) =>
        exclude
          .filter((path) => source.startsWith(`./${path}/`))
          .map((path) => `${folder}: exports ${name}, whose source is in ${path}, which tsconfig.json leaves out`),
      );
    });
}

const missing = (folder, files) =>
  files.filter((file) => !existsSync(inRoot(folder, file))).map((file) => `${folder}: ${file} is missing`);

const foldersIn = (path) =>
  readdirSync(inRoot(path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const read = (path) => readFileSync(inRoot(path), 'utf8');
