import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Edge } from '@pushfleet/http-edge';
import { createLogger } from '@pushfleet/service-kit';
import { until } from '@pushfleet/testing';
import { adminDialect } from '../http/dialect';
import { Problem } from '../http/problem';
import { PAGE, writePages } from '../testing/write-pages';
import { serveWeb } from './serve-web';

const MIB = 1024 * 1024;

let folder: string;
let server: Server;
let url: string;
const refused: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  const edge = new Edge({
    ...{ dialect: adminDialect, log: createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'console') },
    metrics: { refused: (reason) => void refused.push(reason) },
    limits: { pace: { graceMs: 300, bytesPerSecond: MIB }, bodies: { bytesInAll: MIB, bytesPerAccount: MIB } },
    onAnswered: () => undefined,
  });
  server = createServer(
    serveWeb({
      ...{ folder: join(folder, 'dist'), edge, nowhere: () => new Problem('route-unknown', 'nowhere') },
      api(_req, res) {
        res.writeHead(404, { 'content-type': 'application/json' });
        res.end('{"code":404}');
      },
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

it('says that the pages are not built, until all of them are', async () => {
  const isNotBuilt = async (): Promise<void> => {
    const answer = await fetch(`${url}/fleet`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await answer.text()).toContain('npm run build');
  };
  await isNotBuilt();
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/index.html'), PAGE);
  await isNotBuilt();
  writePages(join(folder, 'dist'));
  rmSync(join(folder, 'dist/assets/index-abc.js'));
  await isNotBuilt();
  writePages(join(folder, 'dist'));
  expect((await fetch(`${url}/fleet`)).status).toBe(200);
});

it('serves what is built anew, and what was there before until it is whole', async () => {
  const place = join(folder, 'dist');
  const seen = async (): Promise<readonly unknown[]> => [
    /index-\w+/.exec(await (await fetch(`${url}/`)).text())?.[0],
    (await fetch(`${url}/assets/index-abc.js`)).status,
    (await fetch(`${url}/assets/index-def.js`)).status,
  ];
  expect(await seen()).toEqual(['index-abc', 200, 404]);
  rmSync(place, { recursive: true });
  expect(await seen()).toEqual(['index-abc', 200, 404]);
  mkdirSync(join(place, 'assets'), { recursive: true });
  writeFileSync(join(place, 'index.html'), PAGE.replace('abc', 'def'));
  expect(await seen()).toEqual(['index-abc', 200, 404]);
  writeFileSync(join(place, 'assets/index-def.js'), 'export const b = 2;\n');
  expect(await seen()).toEqual(['index-def', 404, 200]);
  rmSync(place, { recursive: true });
  writePages(place);
  expect(await seen()).toEqual(['index-abc', 200, 404]);
});

it('cuts off who takes nothing of a file', async () => {
  writeFileSync(join(folder, 'dist/assets/large-abc.js'), 'x'.repeat(24 * MIB));
  utimesSync(join(folder, 'dist/index.html'), 1, 1);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write('GET /assets/large-abc.js HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => refused.includes('too-slow'));
  await until(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count === 0))));
});

describe('a page', () => {
  it.each([
    '/',
    '/sign-in',
    '/fleet?lang=en',
    '/apps/an-app',
    '/apps/an-app/pushes/a-push',
    '/apps/a/send',
    '/apps/a/devices/a%2Fb',
    '/users/a',
    '/apps/',
    '/apps/a/send/',
  ])('is at %s', async (path) => expect((await fetch(url + path)).headers.get('content-type')).toMatch('text/html'));

  const LOST = ['/nope', '/apps/a/b', '/fleet/x', '/fleet//', '//', '/users/a/b', '/index.html', '/docsx', '/%zz'];
  const OF_THE_API = ['/api', '/api/v1/apps', '/docs', '/docs/x'];
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it.each([...LOST, ...OF_THE_API])('is not at %s', async (path) => {
    const answer = await fetch(url + path);
    expect([answer.status, await answer.json()]).toEqual([404, { code: 404 }]);
  });

  it.each(LOST)('tells a browser itself that there is none at %s', async (path) => {
    const answer = await fetch(url + path, { headers: { accept: BROWSER } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html;charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await answer.text()).toContain('/assets/index-abc.js');
  });

  it.each([
    ...OF_THE_API.map((path) => [path, BROWSER] as const),
    ...['*/*', 'application/json', 'text/html;q=0, */*'].map((accept) => ['/nope', accept] as const),
  ])('leaves %s to the API for who takes %s', async (path, accept) => {
    const answer = await fetch(url + path, { headers: { accept } });
    expect([answer.status, await answer.json()]).toEqual([404, { code: 404 }]);
  });

  it('has a policy with a nonce that no other answer has, and lets nobody frame it', async () => {
    const answers = await Promise.all([fetch(`${url}/`), fetch(`${url}/`)]);
    const nonces = await Promise.all(
      answers.map(async (answer) => {
        const [, nonce = ''] = /content="([^"]+)"/.exec(await answer.text()) ?? [];
        const policy = answer.headers.get('content-security-policy') ?? '';
        expect(policy).toContain(`'nonce-${nonce}'`);
        expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
        expect(policy).not.toContain('unsafe');
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
    const { headers } = await fetch(`${url}/`);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
    ['en-GB,en;q=0.9,zh;q=0.1', 'en'],
    ['fr', 'en'],
    ['"><script>', 'en'],
  ])('is in the language that %s asks for first', async (asked, lang) => {
    const answer = await fetch(`${url}/`, { headers: { 'accept-language': asked } });
    expect(await answer.text()).toContain(`<html lang="${lang}">`);
  });

  it('changes nothing: other methods are left to the API', async () => {
    expect((await fetch(`${url}/fleet`, { method: 'POST' })).status).toBe(404);
    const head = await fetch(`${url}/fleet`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('a file', () => {
  it.each(['br', 'gzip', 'identity'])('is kept for a year, and comes as %s', async (encoding) => {
    const headers = { 'accept-encoding': encoding };
    const answer = await fetch(`${url}/assets/index-abc.js`, { headers });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(await answer.text()).toContain('export const a = 1;');
  });

  it.each(['/assets/secrets.txt', '/assets/../index.html', '/assets/..%2Findex.html', '/assets/', '/assets/none.js'])(
    'is none of the pages: %s',
    async (path) => expect((await fetch(url + path)).status).toBe(404),
  );
});
