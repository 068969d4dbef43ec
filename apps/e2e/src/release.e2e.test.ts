import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startRedisServer, type RedisServer } from '@pushfleet/testing';
import { ROOT } from './testing/document-examples';
import { release } from './testing/release-site';
import { FREE_PORTS, PATH, serve } from './testing/serving';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const NAMES = [`pushfleet-${version}.tar.gz`, `pushfleet-image-${version}.tar.gz`];

let redis: RedisServer;
let out: string;
let unpacked: string;

/** The archives of this repository, and the built packages with those dependencies that their lockfile names. */
beforeAll(async () => {
  redis = await startRedisServer();
  out = mkdtempSync(join(tmpdir(), 'pushfleet-release-'));
  const { code, stderr } = await release(ROOT, ['--dry-run', '--out', out]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('SHA256SUMS') });
  execFileSync('tar', ['-xzf', NAMES[0] ?? ''], { cwd: out });
  unpacked = join(out, `pushfleet-${version}`);
  linkDependencies();
}, 300_000);

afterAll(async () => {
  await redis.close();
  rmSync(out, { recursive: true });
});

type Lock = { readonly packages: Readonly<Record<string, { readonly link?: boolean; readonly resolved?: string }>> };

function linkDependencies(): void {
  const { packages } = JSON.parse(readFileSync(join(unpacked, 'package-lock.json'), 'utf8')) as Lock;
  for (const [path, { link, resolved = '' }] of Object.entries(packages)) {
    if (!/^((apps|packages)\/[^/]+\/)?node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(unpacked, path)), { recursive: true });
    symlinkSync(link ? join(unpacked, resolved) : join(ROOT, path), join(unpacked, path));
  }
}

const program = (): string => join(unpacked, 'apps/cli/bin/pushfleet.cjs');
const namesIn = (name: string): readonly string[] =>
  execFileSync('tar', ['-tzf', join(out, name)], { encoding: 'utf8' })
    .trim()
    .split('\n');

test('SHA256SUMS tells the sums of both archives, and nothing else is written', () => {
  const sums = NAMES.map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(out, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
  expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
  expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', `pushfleet-${version}`, ...NAMES].sort());
});

test('neither archive has secrets or what was installed, and the built one no sources and no tests', () => {
  const [built = [], image = []] = NAMES.map(namesIn);
  const foreign = /(^|\/)(\.env[^/]*|secrets|node_modules|\.git|\.pushfleet|[^/]+\.log)(\/|$)/;
  expect([...built, ...image].filter((name) => foreign.test(name))).toEqual([]);
  expect(
    built.filter((name) => /\/src\/|\.tsx?$|\.map$|\.test\.|tsbuildinfo|^[^/]+\/apps\/(e2e|bench)\//.test(name)),
  ).toEqual([]);
  expect(image.filter((name) => /(^|\/)dist\//.test(name))).toEqual([]);
});

test('the built one has no simulator and nothing that only tests load', () => {
  const left = namesIn(NAMES[0] ?? '').filter((name) => /\/dist\/.*(testing\/|simulator)/.test(name));
  expect(left).toEqual([]);
});

const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;

test('its documents lead to each other, and to the pictures that they show', () => {
  const documents = ['README.md', 'README.zh-CN.md', 'SECURITY.md', 'CHANGELOG.md'];
  documents.push(...readdirSync(join(unpacked, 'docs'), { recursive: true }).map((name) => `docs/${String(name)}`));
  const dead = documents
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...readFileSync(join(unpacked, name), 'utf8').matchAll(LINK)].map(([, to = '']) => join(dirname(name), to)),
    )
    // What is told to those who change the repository stays there.
    .filter((path) => !/^(apps|packages|examples|scripts|infra\/kubernetes)\/|^CONTRIBUTING\.md$/.test(path))
    .filter((path) => !existsSync(join(unpacked, path)));
  expect(dead).toEqual([]);
});

test('the built packages tell their version, serve with the dependencies of their lockfile, and show the pages', async () => {
  const told = execFileSync(process.execPath, [program(), '--version'], { encoding: 'utf8' });
  expect(told.trim()).toBe(version);
  const env = {
    PATH,
    REDIS_URL: redis.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ADMIN_TOKEN: 'of-a-release',
  };
  const { told: serving, end } = await serve([], { ...env, ...FREE_PORTS, METRICS_PORT: '0' }, program());
  const page = await fetch(`${serving.urls['console'] ?? ''}/`);
  expect({ status: page.status, html: await page.text() }).toEqual({
    status: 200,
    html: expect.stringContaining('<script type="module"'),
  });
  expect((await fetch(`${serving.urls['metrics'] ?? ''}/readyz`)).status).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
});
