import { readFileSync } from 'node:fs';
import { inRoot } from '../launch/paths.mjs';
import { UNSEALED } from './unsealed-packages.mjs';

/**
 * Optional packages that the lockfile should name and does not, in words. npm leaves out what it could not fetch when
 * the lockfile was written, such as the builds for other platforms, and `npm ci` then refuses the lockfile everywhere.
 */
export function findUnlocked() {
  const packages = lockedPackages();
  const locked = new Set(Object.keys(packages).map(nameOf));
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) => {
    const absent = Object.keys(optionalDependencies).filter((name) => !locked.has(name));
    if (absent.length === 0) return [];
    return [`package-lock.json: ${path} ${version} without ${absent.join(', ')}: npm ci would fail`];
  });
}

/**
 * Packages that could be replaced unseen, because the lockfile does not tell their checksum; and exceptions that are none.
 * Nothing that servers run is an exception.
 */
export function findUnsealed() {
  const fetched = Object.entries(lockedPackages()).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const unsealed = fetched.filter(([, { integrity }]) => integrity === undefined);
  const open = new Map(unsealed.map(([path, locked]) => [`${nameOf(path)}@${locked.version}`, locked]));
  const isAllowed = ([name, locked]) => UNSEALED.has(name) && !isForServers(locked);
  return [
    ...[...open].filter((entry) => !isAllowed(entry)).map(([name]) => `package-lock.json: ${name} has no integrity`),
    ...[...UNSEALED].filter((name) => !open.has(name)).map((name) => `unsealed-packages.mjs: ${name} is no exception`),
  ];
}

/** Linux on the processors of the images. */
const isForServers = ({ os = ['linux'], cpu = ['x64'] }) =>
  os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64'));

const lockedPackages = () => JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;

const nameOf = (path) => path.split('node_modules/').at(-1);
