import { parseArgs } from 'node:util';
import { generate } from './generate/generate.mjs';
import { GENERATED } from './generate/generated-files.mjs';

const USAGE = `npm run generate [-- [WRITER…] [--check]]

Builds, and writes every file that is made from the code: ${Object.keys(GENERATED).join(', ')}.
With --check it writes nothing, says which files are not current, and then ends with 1.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) process.stdout.write(USAGE);
else process.exitCode = await generate(positionals.length > 0 ? positionals : Object.keys(GENERATED), values.check);
