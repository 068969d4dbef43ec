import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { answersPing } from '@pushfleet/fleet/private-redis';

const FAREWELL_MS = 3000;

// Redis has no channel to the launcher. This process has one, and takes Redis with it however the launcher ends.
const [binary, port, ...args] = process.argv.slice(2);
const redis = spawn(binary, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const stop = () => redis.kill('SIGTERM');

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The services notice the same loss and need Redis to leave in good order.
process.on('disconnect', () => setTimeout(stop, FAREWELL_MS));
redis.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
redis.once('exit', (code) => process.exit(code ?? 1));

while (!(await answersPing(Number(port)))) await delay(20);
process.send?.({ ready: true, urls: { redis: `redis://127.0.0.1:${port}` } }, () => undefined);
