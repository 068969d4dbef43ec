import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the dashboards part from what is built.
process.exitCode = await generate(['dashboards'], process.argv.includes('--check'));
