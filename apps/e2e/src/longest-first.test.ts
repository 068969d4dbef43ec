import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './testing/document-examples';

interface Test {
  readonly path: string;
  readonly context: object;
}

interface Sequencer {
  readonly LONGEST: readonly string[];
  new (options: object): { sort(tests: Test[]): readonly Test[] };
}

/** As on a machine where no run before told jest how long anything takes. */
const context = {
  config: { cache: false, rootDir: ROOT },
  hasteFS: { getSize: (path: string): number => statSync(path).size },
};

test('the longest files begin first where nobody knows yet that they are, and the others by their size', async () => {
  const config = (await import(join(ROOT, 'packages/tooling/jest.config.cjs'))) as { testSequencer: string };
  const { default: LongestFirst } = (await import(config.testSequencer)) as { default: Sequencer };
  const { LONGEST } = LongestFirst;
  expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const others = ['vendor-messages', 'wire-api', 'push'].map((name) => `apps/e2e/src/${name}.e2e.test.ts`);
  const mixed = [...others, ...LONGEST].reverse().map((file) => ({ path: join(ROOT, file), context }));
  const sorted = new LongestFirst({ contexts: [], globalConfig: {} }).sort(mixed);
  expect(sorted.map(({ path }) => path.slice(ROOT.length + 1))).toEqual([...LONGEST, ...others]);
});
