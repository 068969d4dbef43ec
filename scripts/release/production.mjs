/** Apps that no production runs; what only they and tests ask for is left out with them. */
const LEFT_OUT = new Set(['apps/bench', 'apps/e2e', 'apps/simulator']);
/** What the root says to whoever installs it; its scripts and overrides are for those who build. */
const ROOT_FIELDS = ['name', 'version', 'private', 'description', 'license', 'workspaces', 'engines', 'allowScripts'];
const MARKS = new Set(['dev', 'devOptional', 'peer', 'extraneous']);

/** The lockfile of what production needs, which `npm ci` takes beside the manifests of `manifestOf`. */
export function productionLock(lock) {
  const { packages } = lock;
  const apps = Object.keys(packages).filter((path) => /^apps\/[^/]+$/.test(path) && !LEFT_OUT.has(path));
  const needed = neededBy(apps, packages);
  const kept = Object.entries(packages)
    .filter(([path]) => path === '' || needed.has(path))
    .map(([path, locked]) => [path, path.includes('node_modules/') ? unmarked(locked) : manifestOf(path, locked)]);
  return { ...lock, packages: Object.fromEntries(kept) };
}

/** The manifest of a workspace, or of the root, as it is installed: without what is for developers. */
export function manifestOf(path, manifest) {
  const entries = Object.entries(manifest).filter(([field]) =>
    path === '' ? ROOT_FIELDS.includes(field) : field !== 'devDependencies',
  );
  return Object.fromEntries(entries);
}

export const workspacesIn = ({ packages }) =>
  Object.keys(packages).filter((path) => /^(apps|packages)\/[^/]+$/.test(path));

/** What is optional for production and wanted by developers is optional now. */
const unmarked = (locked) => ({
  ...Object.fromEntries(Object.entries(locked).filter(([field]) => !MARKS.has(field))),
  ...(locked.devOptional ? { optional: true } : {}),
});

/** The places of all packages that these workspaces load, as Node would find them; a link leads to its workspace. */
function neededBy(workspaces, packages) {
  const needed = new Set();
  const waiting = workspaces.flatMap((path) => [path, `node_modules/@pushfleet/${path.split('/').at(-1)}`]);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (needed.has(path)) continue;
    needed.add(path);
    const { link, resolved } = packages[path];
    if (link) waiting.push(resolved);
    const names = namesLoadedBy(packages[path]);
    waiting.push(...names.flatMap((name) => placeOf(name, path, packages)));
  }
  return needed;
}

function namesLoadedBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Nothing for an optional package that is not locked. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return [place];
    if (folder === '') return [];
  }
}
