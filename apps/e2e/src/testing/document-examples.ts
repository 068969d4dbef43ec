import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../../../..');

const under = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .map((name) => (name.endsWith('.md') ? `${folder}/${name}` : `${folder}/${name}/README.md`))
    // A translation has the examples of its original: a check compares them.
    .filter((path) => existsSync(join(ROOT, path)) && !path.endsWith('.zh-CN.md'));

/** Every page for readers, decision records aside. */
export const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  ...['docs', 'apps', 'packages', 'packages/channels/src'].flatMap(under),
];

/** TypeScript in a page is a sketch: what it calls is its reader's. */
const FENCED = /^```(?!ts$)\w+\n([\s\S]*?)^```$/gm;

/** The examples of every page that has some, in order. */
export const documentExamples: ReadonlyMap<string, readonly string[]> = new Map(
  DOCUMENTS.map((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [page, [...text.matchAll(FENCED)].map(([, example = '']) => example)] as const;
  }).filter(([, examples]) => examples.length > 0),
);
