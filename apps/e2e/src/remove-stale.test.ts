import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './testing/document-examples';

type Stale = { removeStale(root: string): readonly string[] };

test('a build keeps what has a source, and nothing that a former one left', async () => {
  const { removeStale } = (await import(join(ROOT, 'scripts/remove-stale.cjs'))) as Stale;
  const root = mkdtempSync(join(tmpdir(), 'stale-'));
  const stale = ['packages/a/dist/keys.js', 'packages/a/dist/keys.d.ts', 'apps/b/dist/gone/main.js.map'];
  const kept = [
    ...['packages/a/tsconfig.json', 'packages/a/src/keys/index.ts', 'packages/a/dist/keys/index.js'],
    ...['packages/a/dist/.tsbuildinfo', 'packages/a/lua/x.lua', 'apps/b/tsconfig.json', 'apps/b/src/main.ts'],
    ...['apps/b/dist/main.d.ts', 'apps/b/dist/main.js.map', 'apps/web/dist/assets/index.js'],
  ];
  for (const path of [...stale, ...kept]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  expect([...removeStale(root)].sort()).toEqual([...stale].sort());
  expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  rmSync(root, { recursive: true });
});
