import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Answer } from '@pushfleet/http-edge';

/** What browsers are told about everything here: nobody frames it, nothing comes from elsewhere. */
export const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** What was built: one page, and files whose names are digests of what is in them. */
export interface WebFiles {
  readonly page: string;
  /** By path. */
  readonly assets: ReadonlyMap<string, Answer>;
}

const TYPES = {
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.svg': 'image/svg+xml',
} as const;

/** Where `npm run build` puts them. */
export const builtPages = (): string => join(require.resolve('@pushfleet/console-web/package.json'), '../dist');

/**
 * What is built now: read once, and again when there is another page. What was there before is kept while a build is only
 * half there. Undefined until there is a whole one.
 */
export function openWebFiles(folder: string): () => WebFiles | undefined {
  let known: WebFiles | undefined;
  let knownState: string | undefined;
  return () => {
    const state = stateOf(join(folder, 'index.html'));
    if (state === undefined || state === knownState) return known;
    const files = readWebFiles(folder);
    if (files) [known, knownState] = [files, state];
    return known;
  };
}

/** Another one for every file that was put there. */
function stateOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

const NAMED_ASSET = /"(\/assets\/[^"]+)"/g;

/** Undefined while something is missing. */
function readWebFiles(folder: string): WebFiles | undefined {
  try {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const names = readdirSync(join(folder, 'assets')).filter((name) => extname(name) in TYPES);
    const paths = new Set(names.map((name) => `/assets/${name}`));
    if (!Array.from(page.matchAll(NAMED_ASSET)).every(([, path = '']) => paths.has(path))) return undefined;
    return { page, assets: new Map([...paths].map((path) => [path, assetAt(join(folder, path))])) };
  } catch (error) {
    // A build removes and writes what is read here.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const YEAR_SECONDS = 31_536_000;

const assetAt = (path: string): Answer => ({
  status: 200,
  body: readFileSync(path, 'utf8'),
  isConstant: true,
  contentType: TYPES[extname(path) as keyof typeof TYPES],
  headers: { ...ALWAYS, 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` },
});
