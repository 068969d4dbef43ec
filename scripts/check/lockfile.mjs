import { readFileSync } from 'node:fs';
import { inRoot } from '../launch/paths.mjs';

/**
 * Optional packages that the lockfile should name and does not, in words. npm leaves out what it could not fetch when
 * the lockfile was written, such as the builds for other platforms, and `npm ci` then refuses the lockfile everywhere.
 */
export function findUnlocked() {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) => {
    const absent = Object.keys(optionalDependencies).filter((name) => !locked.has(name));
    if (absent.length === 0) return [];
    return [`package-lock.json: ${path} ${version} without ${absent.join(', ')}: npm ci would fail`];
  });
}
