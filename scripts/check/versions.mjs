import { readFileSync } from 'node:fs';
import { inRoot } from '../launch/paths.mjs';
import { TAGGED, tagsIn } from '../release/versions.mjs';

/** Workspaces, the lockfile and tags of images that have another version than package.json, whose version is that of all. */
export function findOtherVersions() {
  const { version } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const workspaces = Object.entries(lock.packages).filter(([path]) => path !== '' && !path.includes('node_modules/'));
  const told = [
    ['package-lock.json', lock.version],
    ['package-lock.json (root)', lock.packages[''].version],
    ...workspaces.map(([path, locked]) => [`package-lock.json (${path})`, locked.version]),
    ...workspaces.map(([path]) => [`${path}/package.json`, JSON.parse(read(`${path}/package.json`)).version]),
    ...TAGGED.flatMap((path) => tagsIn(read(path)).map((tag) => [path, tag])),
  ];
  return told
    .filter(([, other]) => other !== version)
    .map(([where, other]) => `${where}: version ${other}, but package.json says ${version}`);
}

const read = (path) => readFileSync(inRoot(path), 'utf8');
