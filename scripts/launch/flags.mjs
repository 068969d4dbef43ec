import { parseArgs } from 'node:util';
import { Problem } from './problem.mjs';

/** The flags among `args`; `names` says which there are, and `help` what to do where there is another. */
export function flagsOf(args, { names, help }) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const [firstSentence] = cause.message.split(/\. |\n/);
    throw new Problem(`${firstSentence}.\n\n${help}`, { exitCode: 2, cause });
  }
}

/** What stands before `--` is npm's, which keeps a word it does not know and says nothing, or little. */
export function refuseKeptByNpm(env, { names, command }) {
  const kept = names.find((name) => env[`npm_config_${name.replaceAll('-', '_')}`] === 'true');
  if (kept) throw new Problem(`npm kept --${kept} for itself. Write: ${command} -- --${kept}`, { exitCode: 2 });
}
