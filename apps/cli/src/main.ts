#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { processEnv } from './config';
import { run } from './run';

void run(process.argv.slice(2), {
  env: processEnv(),
  writeOut: (chunk) => void process.stdout.write(chunk),
  writeErr: (chunk) => void process.stderr.write(chunk),
  readIn: () => text(process.stdin),
}).then((code) => {
  process.exitCode = code;
});
