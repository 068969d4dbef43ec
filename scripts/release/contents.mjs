import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inRoot } from '../launch/paths.mjs';
import { readDockerIgnore } from './docker-ignore.mjs';
import { manifestOf, productionLock, workspacesIn } from './production.mjs';

/** What the recipe of the images is read from; it is no part of what `COPY` sees. */
const RECIPE = ['.dockerignore', 'infra/docker/Dockerfile'];
const BESIDE =
  /^(LICENSE|README(\.zh-CN)?\.md|SECURITY\.md|CHANGELOG\.md|docs\/.+|infra\/(systemd|grafana)\/.*|infra\/prometheus\/(rules\/)?[^/]+)$/;
/** For compilers, debuggers and readers of the repository. */
const NOT_RUN = /(^|\/)(src\/.*|tsconfig[^/]*\.json|[^/]+\.md|[^/]+\.d\.ts|[^/]+\.map|\.tsbuildinfo|package\.json)$/;
/** Nothing but tests, benchmarks and the simulator load it. */
const TRIED_WITH = /\/dist\/(.+\/)?(testing\/.+|(registry-)?simulators?\.js)$/;
/** Its pages are bundled; what bundles them stays behind. */
const PAGES = 'packages/console-web';

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const text = (path, value) => ({ path, data: Buffer.from(value), isExecutable: false });

/** The files that an image is built from, at the root of their archive, which `docker build` reads as it is. */
export function imageFiles(tree) {
  const isSeen = readDockerIgnore(tree.read('.dockerignore'));
  return tree.files.filter(({ path }) => isSeen(path) || RECIPE.includes(path)).map(tree.load);
}

/** Everything that runs after `npm ci --omit=dev`, below one folder. */
export function builtFiles(tree, folder) {
  const lock = productionLock(JSON.parse(tree.read('package-lock.json')));
  const manifests = ['', ...workspacesIn(lock)].map((path) => {
    const file = join(path, 'package.json');
    return text(file, json(manifestOf(path, JSON.parse(tree.read(file)))));
  });
  const files = [
    text('package-lock.json', json(lock)),
    ...manifests,
    ...tree.files.filter(({ path }) => BESIDE.test(path)).map(tree.load),
    ...workspacesIn(lock).flatMap((workspace) => [...written(tree, workspace), ...compiled(workspace)]),
  ];
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
}

/** What stands in the repository and runs as it is: commands, scripts of Redis, pages. */
const written = (tree, workspace) =>
  workspace === PAGES
    ? []
    : tree.files.filter(({ path }) => path.startsWith(`${workspace}/`) && !NOT_RUN.test(path)).map(tree.load);

function compiled(workspace) {
  const dist = inRoot(workspace, 'dist');
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(inRoot(), join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_RUN.test(path) && !TRIED_WITH.test(path))
    .map((path) => ({ path, data: readFileSync(inRoot(path)), isExecutable: false }));
}
