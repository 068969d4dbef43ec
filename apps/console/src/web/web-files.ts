import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file of the pages, as it goes over the wire. */
export interface WebFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** What was built: one page, and files whose names are digests of what is in them. */
export interface WebFiles {
  readonly page: string;
  /** By path. */
  readonly assets: ReadonlyMap<string, WebFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where `npm run build` puts them. */
export const builtPages = (): string => join(require.resolve('@pushfleet/console-web/package.json'), '../dist');

/** Undefined while they are not built. */
export function readWebFiles(folder: string): WebFiles | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const assets = readdirSync(join(folder, 'assets')).flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    return [[`/assets/${name}`, compressed(type, readFileSync(join(folder, 'assets', name)))] as const];
  });
  return { page: readFileSync(page, 'utf8'), assets: new Map(assets) };
}

/** Once: a first visit waits for nothing. */
const compressed = (type: string, plain: Buffer): WebFile => ({
  ...{ type, plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) },
});
