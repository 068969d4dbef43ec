import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMIT_AREAS } from '@pushfleet/domain';

const ROOT = join(__dirname, '../../..');

type PageWriter = { limitsPage(areas: typeof LIMIT_AREAS): string };

test('docs/limits.md is what the table of limits says', async () => {
  const { limitsPage } = (await import(join(ROOT, 'scripts/limits-page.cjs'))) as PageWriter;
  expect(readFileSync(join(ROOT, 'docs/limits.md'), 'utf8')).toBe(limitsPage(LIMIT_AREAS));
});
