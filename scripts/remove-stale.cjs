const { existsSync, readdirSync, rmSync } = require('node:fs');
const { join, relative } = require('node:path');

const ROOT = join(__dirname, '..');
const COMPILED = /\.(js|d\.ts)(\.map)?$/;

/** Built files of one workspace whose sources are gone: a file that became a folder would still be found first. */
function staleIn(workspace) {
  const dist = join(workspace, 'dist');
  if (!existsSync(dist) || !existsSync(join(workspace, 'src'))) return [];
  return readdirSync(dist, { recursive: true })
    .filter((name) => COMPILED.test(name))
    .filter((name) => !['.ts', '.tsx'].some((end) => existsSync(join(workspace, 'src', name.replace(COMPILED, end)))))
    .map((name) => join(dist, name));
}

/** Removes what an earlier state of the sources left in the `dist` of every workspace. Returns the paths. */
function removeStale(root = ROOT) {
  const workspaces = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  );
  const stale = workspaces.filter((path) => existsSync(join(path, 'tsconfig.json'))).flatMap(staleIn);
  for (const path of stale) rmSync(path);
  return stale.map((path) => relative(root, path));
}

module.exports = { removeStale };

if (require.main === module) removeStale();
