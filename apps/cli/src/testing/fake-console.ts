import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What is answered to one request, whose body was read. */
export type Answer = (req: IncomingMessage, res: ServerResponse, body: string) => void;

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_req, res) =>
    void res.writeHead(status, headers).end(JSON.stringify(body));

/** Of a console that cannot serve. */
export const busy = json(503, { code: 503, error: 'Redis has no memory left' }, { 'Retry-After': '0.05' });

/** Something at the console's address that answers as it is told, in turn; the last answer stays. */
export async function withConsole<T>(answers: readonly Answer[], use: (url: string) => Promise<T>): Promise<T> {
  let calls = 0;
  const server = createServer((req, res) => {
    void text(req).then((body) => answers[Math.min(calls++, answers.length - 1)]?.(req, res, body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
