import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the fleet part from what is built.
process.exitCode = await generate(['fleet'], process.argv.includes('--check'));
