import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Runs something while somebody else has the port that it is given. */
export async function withTakenPort<T>(run: (port: string) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await run(String((server.address() as AddressInfo).port));
  } finally {
    server.close();
  }
}
