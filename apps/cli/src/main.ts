import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { leaveOldNode } from '@pushfleet/service-kit/node-version';
import { processEnv } from './config';
import { run } from './run';

leaveOldNode();

// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** The end of the input is no answer. */
async function askAtTerminal(question: string): Promise<string> {
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => asked.once('close', () => resolve('')));
  try {
    return await Promise.race([asked.question(question), ended]);
  } finally {
    asked.close();
  }
}

void run(process.argv.slice(2), {
  env: processEnv(),
  writeOut: (chunk) => void process.stdout.write(chunk),
  writeErr: (chunk) => void process.stderr.write(chunk),
  pipeOut: (chunk) =>
    new Promise((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
    }),
  isTerminal: process.stderr.isTTY,
  ask: process.stdin.isTTY && process.stderr.isTTY ? askAtTerminal : undefined,
  readIn: () => text(process.stdin),
  readInPieces: () => process.stdin,
  untilInterrupted: () =>
    new Promise((resolve) => {
      // Only once: whoever asks again does not want to wait.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    }),
}).then((code) => {
  process.exitCode = code;
  // A pipe that nobody reads any more, and that its writer keeps open, would keep the process.
  if ('unref' in process.stdin) process.stdin.unref();
});
