import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADVICE_TEXTS, DESCRIBED_REASONS } from '@pushfleet/domain';

const ROOT = join(__dirname, '../../..');

type PageWriter = { reasonsPage(reasons: typeof DESCRIBED_REASONS, advice: typeof ADVICE_TEXTS): string };

test('docs/reasons.md is what the domain says of its reasons', async () => {
  const { reasonsPage } = (await import(join(ROOT, 'scripts/reasons-page.cjs'))) as PageWriter;
  expect(readFileSync(join(ROOT, 'docs/reasons.md'), 'utf8')).toBe(reasonsPage(DESCRIBED_REASONS, ADVICE_TEXTS));
});
