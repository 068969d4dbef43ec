import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the vendors part from what is built.
process.exitCode = await generate(['vendors'], process.argv.includes('--check'));
