import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISCARD_POLICY } from '@pushfleet/domain';

const ROOT = join(__dirname, '../../..');
const FOLDERS = join(ROOT, 'packages/channels/src');
const PAGE = readFileSync(join(ROOT, 'docs/add-a-channel.md'), 'utf8');

interface Steps {
  readonly STEPS: readonly { readonly does: string; readonly gives: string }[];
}

interface Guide {
  channelGuide(page: string, parts: { steps: Steps['STEPS']; reasons: typeof DISCARD_POLICY }): string;
}

test('the guide has the steps of new-channel, and every declaration as it stands: npm run generate -- guide', async () => {
  const { STEPS: steps } = (await import(join(ROOT, 'scripts/new-channel/steps.cjs'))) as Steps;
  const { channelGuide } = (await import(join(ROOT, 'scripts/channel-guide/channel-guide.cjs'))) as Guide;
  expect(channelGuide(PAGE, { steps, reasons: DISCARD_POLICY })).toBe(PAGE);
});

const IMPORTS = /^import (?:type )?\{([^}]*)\} from '@pushfleet\//gm;

const isCode = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.test.ts') && path.includes('/');

/** What the folders of channels import from our packages, tests aside. */
const importedNames = readdirSync(FOLDERS, { recursive: true, encoding: 'utf8' })
  .filter(isCode)
  .flatMap((path) => [...readFileSync(join(FOLDERS, path), 'utf8').matchAll(IMPORTS)])
  .flatMap(([, names = '']) => names.split(','))
  .map(
    (name) =>
      name
        .replace(/^\s*type /, '')
        .split(' as ')[0]
        ?.trim() ?? '',
  )
  .filter((name) => name !== '');

test('nobody has to look elsewhere for what a folder of a channel is written with', () => {
  expect(importedNames.length).toBeGreaterThan(200);
  const [, reference = ''] = PAGE.split('## Reference');
  const isMissing = (name: string): boolean =>
    !new RegExp(`^(?:function|const|class|interface|type) ${name}\\b`, 'm').test(reference);
  expect([...new Set(importedNames)].filter(isMissing)).toEqual([]);
});
