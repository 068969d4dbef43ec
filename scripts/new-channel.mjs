import { parseArgs } from 'node:util';
import { inRoot } from './launch/paths.mjs';
import { problemWith, scaffold } from './new-channel/scaffold.mjs';

const USAGE = `npm run new-channel NAME

Writes packages/channels/src/NAME, a channel for an example vendor whose tests pass at once, and its line in the registry.
NAME is the value of an installation's \`vendor\` field in lower case: 2 to 16 of a-z and 0-9, a letter first.
`;

const NEXT_STEPS = `
Next:
  1. npm run generate                 builds, and writes everything that follows from the line in the registry
  2. npx jest -c packages/tooling/jest.config.cjs --selectProjects unit contract -- packages/channels
  3. Make the example the vendor's own, file by file, with its documents beside you: docs/add-a-channel.md
`;

const { values, positionals } = parse();
const [name] = positionals;
if (values.help || positionals.length !== 1) {
  (values.help ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const problem = problemWith(name, inRoot());
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  } else {
    for (const path of await scaffold(name, inRoot())) process.stdout.write(`  ${path}\n`);
    process.stdout.write(NEXT_STEPS);
  }
}

function parse() {
  try {
    return parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', default: false } } });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { values: { help: false }, positionals: [] };
  }
}
