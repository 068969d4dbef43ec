import { once } from 'node:events';
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { type IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import { openAuthority, until, type Authority, type IssuedCertificate } from '@pushfleet/testing';
import { isConfigError } from '../config-error';
import { openHttpServer, type HttpServer } from '../http-server';
import { DEFAULT_HTTP_LIMITS } from '../http-limits';
import { closeServer, listen } from '../listen';
import { openMetrics, type Metrics } from '../metrics';
import { onOnePort } from '../on-one-port';
import { readCertificate, type TlsFiles } from './read-certificate';
import { openServerCertificate, type ServerCertificate } from './server-certificate';

const CONNECTIONS = 3;
const LATE = 'GET /late HTTP/1.1\r\nHost: x\r\n\r\n';
const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ';

let authority: Authority;
let issued: Readonly<Record<'first' | 'second' | 'expired', IssuedCertificate>>;
let files: Required<TlsFiles>;
let certificate: ServerCertificate;
let metrics: Metrics;
let warnings: unknown[];
let asked: (string | undefined)[];
let port: number;
let front: HttpServer;
let agent: Agent;
let sockets: Socket[];

beforeAll(async () => {
  authority = await openAuthority();
  issued = {
    first: await authority.issue('first'),
    second: await authority.issue('second'),
    expired: await authority.issue('expired', { days: -1 }),
  };
  const { dir } = authority;
  files = { TLS_CERT_FILE: join(dir, 'shown.crt'), TLS_KEY_FILE: join(dir, 'shown.key') };
});

afterAll(() => authority.close());

/** In one step, as tools that renew certificates do: whoever reads meanwhile finds the old file or the new one. */
async function replace(path: string, by: string): Promise<void> {
  await copyFile(by, `${path}.new`);
  await rename(`${path}.new`, path);
}

const show = async ({ certFile, keyFile }: IssuedCertificate): Promise<void> => {
  await replace(files.TLS_CERT_FILE, certFile);
  await replace(files.TLS_KEY_FILE, keyFile);
};

beforeEach(async () => {
  [sockets, warnings, asked] = [[], [], []];
  await show(issued.first);
  const first = readCertificate(files);
  if (!first) throw new Error('no certificate');
  metrics = openMetrics('ingress');
  const log = { info: () => undefined, warn: (reason: unknown) => void warnings.push(reason) };
  certificate = openServerCertificate({ files, first, log, metrics, lookEveryMs: 20 });
  const limits = { ...DEFAULT_HTTP_LIMITS, connections: CONNECTIONS };
  const parts = { limits, certificate, onRefused: () => undefined };
  front = openHttpServer(parts, (req, res) => {
    asked.push(req.url);
    if (req.url !== '/late') res.end(`${req.method} ${req.url}`);
  });
  const devices = openHttpServer(parts, () => undefined);
  devices.on('upgrade', (_req, socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const listenOn = onOnePort({ requests: 'INGRESS_PORT', webSockets: 'GATEWAY_PORT' }, listen);
  const host = '127.0.0.1';
  const opened = listenOn(front, { port: 0, host, variable: 'INGRESS_PORT' });
  void listenOn(devices, { port: 0, host, variable: 'GATEWAY_PORT' });
  const { url } = await opened;
  expect(url).toMatch(/^https:/);
  port = Number(new URL(url).port);
  agent = new Agent({ ca: readFileSync(authority.caFile), keepAlive: true, maxSockets: 1 });
});

afterEach(async () => {
  agent.destroy();
  for (const socket of sockets) socket.destroy();
  await closeServer(front, AbortSignal.abort());
  await certificate.stop();
});

async function ask(path: string): Promise<string> {
  const sent = request({ host: '127.0.0.1', port, path, agent }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return text(answer);
}

async function client(sent = ''): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: readFileSync(authority.caFile),
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.write(sent);
  return socket;
}

const subjectOf = (socket: TLSSocket): string => String(socket.getPeerCertificate().subject.CN);

async function hear(socket: Socket, expected: string): Promise<void> {
  let heard = '';
  while (!heard.includes(expected)) heard += String((await once(socket, 'data'))[0]);
}

test('it answers by TLS, in HTTP/1.1, and tells when the certificate ends', async () => {
  expect(await ask('/docs')).toBe('GET /docs');
  expect((await client()).alpnProtocol).toBe('http/1.1');
  const ends = readCertificate(files)?.endsAt ?? 0;
  expect(await metrics.text()).toContain(`pushfleet_certificate_expires_seconds{service="ingress"} ${ends / 1000}`);
});

test('a certificate that follows is shown to whoever connects, and no connection ends', async () => {
  const old = await client(LATE);
  expect(subjectOf(old)).toBe('first');
  await replace(files.TLS_CERT_FILE, issued.second.certFile);
  await until(() => warnings.length > 0);
  expect(warnings).toEqual([{ reason: expect.stringMatching(/^TLS_KEY_FILE: the key in .* is not that of/) }]);
  expect(subjectOf(await client())).toBe('first');
  await replace(files.TLS_KEY_FILE, issued.second.keyFile);
  await until(async () => {
    const socket = await client();
    const subject = subjectOf(socket);
    socket.destroy();
    return subject === 'second';
  });
  expect(old.destroyed).toBe(false);
  expect(warnings).toHaveLength(1);
});

test('who says nothing gives way, before and after the handshake, and who waits for an answer does not', async () => {
  const busy = await client(LATE);
  await until(() => asked.includes('/late'));
  const silent = connectPlain(port, '127.0.0.1');
  silent.on('error', () => undefined);
  sockets.push(silent);
  await once(silent, 'connect');
  await until(() => front.guard.count() === 2);
  const idle = await client();
  expect(front.guard.count()).toBe(3);
  const ended = Promise.all(
    [silent, idle].map((socket) => new Promise((resolve) => socket.resume().once('close', resolve))),
  );
  await client();
  await client();
  await ended;
  expect([busy.destroyed, front.guard.count()]).toEqual([false, 3]);
});

test('WebSockets are handed over and counted apart, offers of HTTP/2 are answered', async () => {
  for (let n = 0; n < 2 * CONNECTIONS; n += 1) await hear(await client(`${UPGRADE}websocket\r\n\r\n`), 'HTTP/1.1 101 ');
  expect(front.guard.count()).toBe(0);
  await hear(await client(`${UPGRADE}h2c\r\n\r\n`), 'GET /');
});

test('each thing that the files fail by is one line that names the variable and what to do', async () => {
  const nonsense = join(authority.dir, 'nonsense.pem');
  await writeFile(nonsense, 'nonsense');
  const { certFile, keyFile } = issued.first;
  const cases: readonly (readonly [TlsFiles, RegExp])[] = [
    [{ TLS_CERT_FILE: certFile }, /^TLS_KEY_FILE: is required beside TLS_CERT_FILE$/],
    [{ TLS_KEY_FILE: keyFile }, /^TLS_CERT_FILE: is required beside TLS_KEY_FILE$/],
    [{ TLS_CERT_FILE: '/nowhere.pem', TLS_KEY_FILE: keyFile }, /^TLS_CERT_FILE: .*cannot be read \(ENOENT\): name a/],
    [{ TLS_CERT_FILE: certFile, TLS_KEY_FILE: '/' }, /^TLS_KEY_FILE: \/ cannot be read \(EISDIR\)/],
    [{ TLS_CERT_FILE: nonsense, TLS_KEY_FILE: keyFile }, /^TLS_CERT_FILE: .*nonsense.pem holds no certificate/],
    [{ TLS_CERT_FILE: certFile, TLS_KEY_FILE: nonsense }, /^TLS_KEY_FILE: .*nonsense.pem holds no private key/],
    [{ TLS_CERT_FILE: certFile, TLS_KEY_FILE: issued.second.keyFile }, /^TLS_KEY_FILE: the key in .* is not that of/],
    [
      { TLS_CERT_FILE: issued.expired.certFile, TLS_KEY_FILE: issued.expired.keyFile },
      /^TLS_CERT_FILE: the certificate in .* holds from .* to .*: renew it$/,
    ],
  ];
  for (const [given, line] of cases) {
    let lines: readonly string[] = [];
    try {
      readCertificate(given);
    } catch (error) {
      lines = isConfigError(error) ? error.lines : [];
    }
    expect(lines).toEqual([expect.stringMatching(line)]);
  }
});
