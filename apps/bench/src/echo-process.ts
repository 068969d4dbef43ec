import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface EchoProcess {
  readonly url: string;
  stop(): void;
}

/** The bare Express service, a process of its own like what it is compared with. */
export async function startEcho(): Promise<EchoProcess> {
  const child = fork(join(__dirname, 'echo-server.js'));
  const [{ urls }] = (await once(child, 'message')) as [{ urls: { echo: string } }];
  return { url: urls.echo, stop: () => child.disconnect() };
}
