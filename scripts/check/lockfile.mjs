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

/** Packages that could be replaced unseen, because the lockfile does not tell their checksum; and exceptions that are none. */
export function findUnsealed() {
  const fetched = Object.entries(lockedPackages()).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const named = fetched.map(([path, { version, integrity }]) => ({ name: `${nameOf(path)}@${version}`, integrity }));
  const open = new Set(named.flatMap(({ name, integrity }) => (integrity === undefined ? [name] : [])));
  return [
    ...[...open].filter((name) => !UNSEALED.has(name)).map((name) => `package-lock.json: ${name} has no integrity`),
    ...[...UNSEALED].filter((name) => !open.has(name)).map((name) => `unsealed-packages.mjs: ${name} is no exception`),
  ];
}

const lockedPackages = () => JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;

const nameOf = (path) => path.split('node_modules/').at(-1);
