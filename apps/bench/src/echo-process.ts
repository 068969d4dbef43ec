import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A bare service, a process of its own like what it is compared with. */
export interface EchoProcess {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

export const startEcho = (): Promise<EchoProcess> => announced(fork(join(__dirname, 'echo-server.js')));

export const startSocketEcho = (): Promise<EchoProcess> => announced(fork(join(__dirname, 'socket-echo-server.js')));

export const startTraceSink = (): Promise<EchoProcess> => announced(fork(join(__dirname, 'trace-sink.js')));

async function announced(child: ChildProcess): Promise<EchoProcess> {
  const [{ urls }] = (await once(child, 'message')) as [{ urls: { echo: string } }];
  return { url: urls.echo, pid: child.pid ?? 0, stop: () => child.disconnect() };
}
