import type { Draft } from './draft';

const COLUMNS = { installationid: 'installation_ids', objectid: 'object_ids' } as const;

const cellsOf = (line: string): readonly string[] =>
  line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);

/** The ids of a file: of the column that its head names, and of the first one where there is no such head. */
export function idsOfCsv(text: string, list: Draft['list']): Pick<Draft, 'ids' | 'list'> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = cellsOf(lines[0] ?? '').map((name) => name.toLowerCase());
  const named = head.find(isColumn);
  const at = named === undefined ? 0 : head.indexOf(named);
  const rows = named === undefined ? lines : lines.slice(1);
  const ids = rows.map((line) => cellsOf(line)[at] ?? '').filter((id) => id !== '');
  return { ids: ids.join('\n'), list: named === undefined ? list : COLUMNS[named] };
}
