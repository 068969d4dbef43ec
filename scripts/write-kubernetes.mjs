import { generate } from './generate/generate.mjs';

// `npm run generate` builds and writes everything; this writes the kubernetes part from what is built.
process.exitCode = await generate(['kubernetes'], process.argv.includes('--check'));
