import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the reasons part from what is built.
process.exitCode = await generate(['reasons'], process.argv.includes('--check'));
