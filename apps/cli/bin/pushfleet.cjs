#!/usr/bin/env node
// Stands in the repository because npm links no command whose file is missing while packages are installed.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const main = join(__dirname, '../dist/main.js');
if (existsSync(main)) require(main);
else {
  process.stderr.write(
    'pushfleet: not built yet. Run npm run build, or npm start, in the folder of the repository first\n',
  );
  process.exitCode = 1;
}
