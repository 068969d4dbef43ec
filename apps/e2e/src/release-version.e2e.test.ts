import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './testing/document-examples';
import { CHANGELOG, makeSite, release } from './testing/release-site';

let site: ReturnType<typeof makeSite>;
beforeEach(() => (site = makeSite()));
afterEach(() => site.remove());

const SUMS = 'release/SHA256SUMS';
const namesIn = (name: string): readonly string[] =>
  execFileSync('tar', ['-tzf', join(site.root, 'release', name)], { encoding: 'utf8' })
    .trim()
    .split('\n');
const today = (): string => new Date().toISOString().slice(0, 10);

/** Nothing is changed and nothing left behind. */
const expectUntouched = (): void => {
  expect(site.git('status', '--porcelain')).toBe('');
  expect(existsSync(join(site.root, 'release'))).toBe(false);
};

test.each([
  [['1.2'], 2, '1.2 is no version: three numbers, as in 1.2.3'],
  [['01.2.3', '--dry-run'], 2, '01.2.3 is no version: three numbers, as in 1.2.3'],
  [['0.1.0'], 1, '0.1.0 is not greater than 0.1.0, the present version'],
  [['0.0.9'], 1, '0.0.9 is not greater than 0.1.0, the present version'],
  [['0.9.0'], 1, 'The tag v0.9.0 is there already'],
])('%j is refused in one line, and nothing is written', async (args, code, words) => {
  site.git('tag', 'v0.9.0');
  expect(await release(site.root, args)).toEqual({ code, stdout: '', stderr: `\n${words}\n` });
  expectUntouched();
});

test.each([[[]], [['1.0.0', '2.0.0']], [['--nope']], [['--dry-run', '--out', '']]])(
  'called with %j it tells how it is called',
  async (args) => {
    const { code, stderr } = await release(site.root, args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Usage: npm run release') });
    expectUntouched();
  },
);

test('a flag that npm has kept for itself is missed, not ignored', async () => {
  const { code, stderr } = await release(site.root, ['0.2.0'], { npm_config_dry_run: 'true' });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: '\nnpm kept --dry-run for itself. Write: npm run release -- --dry-run\n',
  });
});

test('a version without upgrade notes, and one that nobody has told of, are refused', async () => {
  site.write('CHANGELOG.md', CHANGELOG.replace('- None.', ''));
  site.commit();
  expect((await release(site.root, ['0.2.0'])).stderr).toContain('"### Upgrade notes" is missing or empty');
  site.write('CHANGELOG.md', CHANGELOG.replace('## Unreleased', '## 0.0.9 – 2026-01-01'));
  site.commit();
  expect((await release(site.root, ['0.2.0'])).stderr).toContain('has no part "## Unreleased" that could become 0.2.0');
  expectUntouched();
});

test('a workspace of another version is named', async () => {
  site.write('apps/cli/package.json', site.read('apps/cli/package.json').replace('0.1.0', '0.1.1'));
  site.commit();
  const { code, stderr } = await release(site.root, ['--dry-run']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: '\napps/cli/package.json: version 0.1.1, but package.json says 0.1.0\n',
  });
});

test('a tree with changes is not released; a rehearsal says what differs', async () => {
  site.write('LICENSE', 'freer\n');
  const refused = await release(site.root, ['0.2.0']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('differs from its commit: LICENSE.') });
  const tried = await release(site.root, ['--dry-run']);
  expect(tried).toMatchObject({ code: 0, stderr: expect.stringContaining('differs from its commit: LICENSE.') });
  expect(tried.stderr).toContain('Not a release: the CHANGELOG has an unreleased part.');
});

/** Apps whose images docker-compose.yml of this repository names. */
function composedImages(): readonly string[] {
  const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  return [...new Set([...compose.matchAll(/^ *image: pushfleet-([^:]+):/gm)].map(([, app = '']) => app))].sort();
}

test('a release changes every place that tells the version, and its tag gives the same archives', async () => {
  const tried = await release(site.root, ['0.2.0', '--dry-run']);
  expect({ code: tried.code, changed: site.git('status', '--porcelain') }).toEqual({ code: 0, changed: '' });
  const sums = site.read(SUMS);

  const { code, stdout } = await release(site.root, ['0.2.0']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('git tag -a v0.2.0') });
  const [, built = ''] = /for app in (.*); do/.exec(stdout) ?? [];
  expect(built.split(' ').sort()).toEqual(composedImages());
  expect(site.read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Unreleased', `## 0.2.0 – ${today()}`));
  const told = ['package.json', 'package-lock.json', 'apps/cli/package.json', 'apps/e2e/package.json'];
  const tagged = ['docker-compose.yml', 'infra/kubernetes/overlays/production/kustomization.yaml'];
  for (const path of [...told, ...tagged]) {
    expect(site.read(path)).toContain('0.2.0');
    expect(site.read(path)).not.toContain('0.1.0');
  }
  expect(site.git('tag', '--list')).toBe('');
  site.commit();
  expect((await release(site.root, ['--dry-run'])).stderr).not.toContain('Not a release');
  expect(site.read(SUMS)).toBe(sums);
});

test('the commands that it prints are those of a shell, wherever the archives are', async () => {
  const { stdout } = await release(site.root, ['0.2.0', '--out', join(site.root, 'release/of today')]);
  const [loop = ''] = /^ {2}for app in [^]*^ {2}done$/m.exec(stdout) ?? [];
  const read = execFileSync('sh', ['-c', `docker() { wc -c; }; ${loop}`], { encoding: 'utf8' });
  const { size } = statSync(join(site.root, 'release/of today/pushfleet-image-0.2.0.tar.gz'));
  expect(new Set(read.trim().split(/\s+/))).toEqual(new Set([String(size)]));
});

test('what production needs is packed, and what an image is built from', async () => {
  expect(await release(site.root, ['--dry-run'])).toMatchObject({ code: 0, stdout: `${join(site.root, 'release')}\n` });
  const inside = [
    ...[
      'CHANGELOG.md',
      'LICENSE',
      'apps/cli/dist/main.js',
      'apps/cli/package.json',
      'infra/grafana/dashboards/a.json',
      'infra/prometheus/prometheus.yml',
      'infra/prometheus/rules/a.yml',
      'package-lock.json',
      'package.json',
    ],
  ];
  expect(namesIn('pushfleet-0.1.0.tar.gz')).toEqual(inside.map((name) => `pushfleet-0.1.0/${name}`));
  expect(namesIn('pushfleet-image-0.1.0.tar.gz')).toEqual(
    [
      ...['.dockerignore', 'apps/cli/package.json', 'apps/cli/src/main.ts', 'apps/e2e/package.json'],
      ...['infra/docker/Dockerfile', 'package-lock.json', 'package.json', 'packages/console-web/package.json'],
      ...['packages/console-web/src/main.ts', 'scripts/remove-stale.cjs', 'tsconfig.json'],
    ].sort(),
  );
  execFileSync('tar', ['-xzf', 'pushfleet-0.1.0.tar.gz'], { cwd: join(site.root, 'release') });
  const unpacked = (name: string): unknown =>
    JSON.parse(readFileSync(join(site.root, 'release/pushfleet-0.1.0', name), 'utf8'));
  const { packages } = unpacked('package-lock.json') as { packages: Readonly<Record<string, unknown>> };
  expect(Object.keys(packages)).toEqual([
    ...['', 'apps/cli', 'node_modules/@pushfleet/cli', 'node_modules/zod', 'node_modules/zod/node_modules/deep'],
  ]);
  expect(unpacked('apps/cli/package.json')).not.toHaveProperty('devDependencies');
});
