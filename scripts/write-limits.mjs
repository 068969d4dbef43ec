import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the limits part from what is built.
process.exitCode = await generate(['limits'], process.argv.includes('--check'));
