#!/usr/bin/env node
// Stands in the repository because npm links no command whose file is missing while packages are installed.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

// The process that serves loads nothing of the tool that asks it.
const [program] = process.argv[2] === 'serve' ? process.argv.splice(2, 1) : ['ask'];
const main = join(__dirname, program === 'serve' ? '../../fleet/dist/main.js' : '../dist/main.js');
if (existsSync(main)) require(main);
else {
  process.stderr.write(
    'pushfleet: not built yet. Run npm run build, or npm start, in the folder of the repository first\n',
  );
  process.exitCode = 1;
}
