import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { FUZZ_SEED } from './fuzz-seed';

const PATIENCE_MS = 15_000;

/** Sends bytes that are no HTTP, or hardly, and throws when one connection is not answered and closed in time. */
export async function runRawFuzz(url: string, connections = 200): Promise<readonly number[]> {
  const line = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    fc.constantFrom(
      'GET / HTTP/1.1',
      'GET /%%% HTTP/1.1',
      'GET  HTTP/1.1',
      'POST /1.1/push HTTP/1.1',
      'GET * HTTP/1.1',
    ),
    fc.constantFrom('Host: x', 'Host: x\r\nHost: y', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 9e9'),
    fc.constantFrom('Transfer-Encoding: chunked', 'Transfer-Encoding: x', 'Connection: close', ': x', 'A: \u0001', ''),
  );
  const message = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\r\n')}\r\n\r\n`);
  const statuses: number[] = [];
  for (const text of fc.sample(message, { numRuns: connections, seed: FUZZ_SEED })) {
    const status = await sendRaw(url, text);
    if (status >= 500 && status !== 505) throw new Error(`FUZZ_SEED=${FUZZ_SEED} ${status} ${JSON.stringify(text)}`);
    statuses.push(status);
  }
  return statuses;
}

/** 0 when the connection was closed without a word. */
async function sendRaw(url: string, text: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.end(text, 'latin1');
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
