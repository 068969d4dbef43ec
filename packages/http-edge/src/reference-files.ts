import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer } from './answer';

const OURS = join(__dirname, '../reference');
const swaggerUi = (): string => join(require.resolve('swagger-ui-dist/package.json'), '..');

const SCRIPT = 'text/javascript;charset=utf-8';
const STYLE = 'text/css;charset=utf-8';

/** Where each file of the page is. */
const FILES: Readonly<Record<string, { readonly contentType: string; readonly folder: () => string }>> = {
  'swagger-ui-bundle.js': { contentType: SCRIPT, folder: swaggerUi },
  'swagger-ui.css': { contentType: STYLE, folder: swaggerUi },
  'start.js': { contentType: SCRIPT, folder: () => OURS },
  'page.css': { contentType: STYLE, folder: () => OURS },
};

/** Undefined for what is no file of the page. */
export function readReferenceFile(name: string): Pick<Answer, 'body' | 'contentType'> | undefined {
  if (!Object.hasOwn(FILES, name)) return undefined;
  const { contentType, folder } = FILES[name] ?? {};
  if (!folder || contentType === undefined) return undefined;
  // A map is no file of the page.
  const body = readFileSync(join(folder(), name), 'utf8').replace(/\n\/[/*]# sourceMappingURL=.*$/, '');
  return { body, contentType };
}
