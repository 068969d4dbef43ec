import { connect } from 'node:net';
import { REDIS_HOST } from './redis-arguments';

const PATIENCE_MS = 2000;

/** What comes first of the answer to a command; empty where there is none in time, undefined where nobody listens. */
export function askRedis(port: number, command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, REDIS_HOST, () => socket.write(`${command}\r\n`));
    const settle = (answer: string | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, () => settle(''));
    socket.once('data', (data) => settle(data.toString()));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'ECONNREFUSED' ? undefined : ''));
    socket.once('close', () => settle(''));
  });
}

/** Whether a Redis there serves commands; while it loads its data it does not. */
export const answersPing = async (port: number): Promise<boolean> =>
  (await askRedis(port, 'PING'))?.startsWith('+PONG') === true;
