import { readFileSync } from 'node:fs';
import { inRoot } from '../launch/paths.mjs';
import { mustRun } from '../launch/run-command.mjs';

/** The repository as git knows it, and what is changed in it but not written yet. */
export async function openTree(lifeline) {
  const git = (...args) =>
    mustRun('git', args, { lifeline, capture: true, failure: 'git does not tell about this folder' });
  const listed = (await git('ls-files', '--stage', '-z')).split('\0').filter((line) => line !== '');
  const files = listed.map((line) => ({ path: line.split('\t')[1], isExecutable: line.startsWith('100755') }));
  const changes = new Map();
  const read = (path) => changes.get(path) ?? readFileSync(inRoot(path), 'utf8');
  return {
    files,
    changes,
    read,
    load: ({ path, isExecutable }) => {
      const data = changes.has(path) ? Buffer.from(changes.get(path)) : readFileSync(inRoot(path));
      return { path, data, isExecutable };
    },
    differing: async () => (await git('status', '--porcelain')).split('\n').filter((line) => line !== ''),
    hasTag: async (tag) => (await git('tag', '--list', tag)).trim() !== '',
    commit: async () => (await git('rev-parse', '--short', 'HEAD')).trim(),
    committedAt: async () => Number(await git('log', '-1', '--format=%ct')),
  };
}
