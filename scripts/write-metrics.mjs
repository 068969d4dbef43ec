import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the metrics part from what is built.
process.exitCode = await generate(['metrics'], process.argv.includes('--check'));
