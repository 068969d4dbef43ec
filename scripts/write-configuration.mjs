import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the configuration part from what is built.
process.exitCode = await generate(['configuration'], process.argv.includes('--check'));
