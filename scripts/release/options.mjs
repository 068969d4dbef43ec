import { parseArgs } from 'node:util';
import { refuseKeptByNpm } from '../launch/flags.mjs';
import { Problem } from '../launch/problem.mjs';
import { isVersion } from './versions.mjs';

export const HELP = `Usage: npm run release -- X.Y.Z [--dry-run] [--out DIR]
       npm run release -- --dry-run [--out DIR]

Builds what a version is handed out as: the built packages, the context that images are built from, and SHA256SUMS.
With X.Y.Z it also sets the version of all packages and dates the CHANGELOG, and tells what to commit, tag and push. It
commits, tags and pushes nothing itself.

  --dry-run  write the archives only; without X.Y.Z those of the present version
  --out DIR  where the archives go; they replace what is of the same name there (release)
  --help     show this

The same commit gives the same archives on the same version of Node: docs/upgrade.md, "Cut a release".
`;

const OPTIONS = { 'dry-run': { type: 'boolean' }, out: { type: 'string' }, help: { type: 'boolean' } };

/** What is to be released; undefined when somebody asks for help. */
export function parseOptions(args, env) {
  refuseKeptByNpm(env, { names: ['dry-run'], command: 'npm run release' });
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const [version, ...more] = positionals;
  if (more.length > 0) throw misuse(`One version at a time, not ${positionals.join(' and ')}.`);
  if (version === undefined && !values['dry-run']) throw misuse('Name the version, or try it with --dry-run.');
  if (version !== undefined && !isVersion(version)) {
    throw new Problem(`${version} is no version: three numbers, as in 1.2.3`, { exitCode: 2 });
  }
  if (values.out === '') throw misuse('--out names no folder.');
  return { version, isDry: values['dry-run'] === true, out: values.out ?? 'release' };
}

function parsed(args) {
  try {
    return parseArgs({ args, options: OPTIONS, strict: true, allowPositionals: true });
  } catch (cause) {
    const [firstSentence] = cause.message.split(/\. |\n/);
    throw misuse(`${firstSentence}.`, cause);
  }
}

const misuse = (message, cause) => new Problem(`${message}\n\n${HELP}`, { exitCode: 2, cause });
