import { parseArgs } from 'node:util';
import { inRoot } from './launch/paths.mjs';
import { problemWith, scaffold, SESSIONS } from './new-channel/scaffold.mjs';
import { stepsAfterTheFirst } from './new-channel/steps.cjs';

const [DEFAULT_SESSION] = SESSIONS;

const USAGE = `npm run new-channel NAME [-- --session ${SESSIONS.join('|')}]

Writes packages/channels/src/NAME, a channel for an example vendor whose tests pass at once, and its line in the registry.
NAME is the value of an installation's \`vendor\` field in lower case: 2 to 16 of a-z and 0-9, a letter first.
The example vendor grants a bearer token for client credentials, or with \`--session header\` a token for credentials as JSON
that stands in a header of its own.
`;

const { values, positionals } = parse();
const [name] = positionals;
if (values.help || positionals.length !== 1 || !SESSIONS.includes(values.session)) {
  (values.help ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const problem = problemWith(name, inRoot());
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  } else {
    for (const path of await scaffold(name, { session: values.session, root: inRoot() }))
      process.stdout.write(`  ${path}\n`);
    process.stdout.write(stepsAfterTheFirst());
  }
}

function parse() {
  try {
    const help = { type: 'boolean', default: false };
    return parseArgs({
      allowPositionals: true,
      options: { help, session: { type: 'string', default: DEFAULT_SESSION } },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { values: { help: false }, positionals: [] };
  }
}
