import type { Draft } from './draft';

const COLUMNS = { installationid: 'installation_ids', objectid: 'object_ids' } as const;

/** Up to the next separator; one between quotes separates nothing, and two quotes there are one. */
const CELL = / *(?:"((?:[^"]|"")*)" *|([^,;\t]*))(?:[,;\t]|$)/g;

const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(CELL)].map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());

const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);

/**
 * The ids of a file: of the column that its head names, and of the first one where there is no such head. Lines that begin
 * with `#` are remarks.
 */
export function idsOfCsv(text: string, list: Draft['list']): Pick<Draft, 'ids' | 'list'> {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'));
  const head = cellsOf(lines[0] ?? '').map((name) => name.toLowerCase());
  const named = head.find(isColumn);
  const at = named === undefined ? 0 : head.indexOf(named);
  const rows = named === undefined ? lines : lines.slice(1);
  const ids = rows.map((line) => cellsOf(line)[at] ?? '').filter((id) => id !== '');
  return { ids: ids.join('\n'), list: named === undefined ? list : COLUMNS[named] };
}
