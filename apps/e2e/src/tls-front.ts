import { request } from 'node:http';
import { createServer, globalAgent, type Agent } from 'node:https';
import type { AddressInfo } from 'node:net';

const KEY = Buffer.from('0123456789abcdef', 'hex');
/** A key that both sides know stands for a certificate, which would have to be made and would run out. */
const SHARED = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;

export interface TlsFront {
  readonly origin: string;
  close(): Promise<void>;
}

/** Speaks TLS before a plain server, for clients that know no other way to their vendor. */
export async function openTlsFront(target: string): Promise<TlsFront> {
  const server = createServer({ ...SHARED, pskCallback: () => KEY }, (req, res) => {
    const { method, headers, url } = req;
    const onward = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const untrust = trustSharedKey(globalAgent);
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        untrust();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** The agent of every client that brings none of its own. */
function trustSharedKey({ options }: Agent): () => void {
  const before = { ...options };
  const pskCallback = () => ({ psk: KEY, identity: 'test' });
  Object.assign(options, { ...SHARED, pskCallback, checkServerIdentity: () => undefined });
  return () => {
    for (const name of Object.keys(options)) if (!Object.hasOwn(before, name)) Reflect.deleteProperty(options, name);
    Object.assign(options, before);
  };
}
