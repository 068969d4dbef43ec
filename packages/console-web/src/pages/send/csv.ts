import type { Draft } from './draft';

const COLUMNS = { installationid: 'installation_ids', objectid: 'object_ids' } as const;

/**
 * A remark, which is a line that begins with `#`, or a cell; each up to the next separator or the end of its line. What stands
 * between quotes ends neither, and two quotes there are one.
 */
const CELL = /(?:(^#[^\r\n]*)| *"([^"]*(?:""[^"]*)*)" *|([^,;\t\r\n]*))([,;\t]|\r?\n|\r|$)/gm;

/** What makes a text for spreadsheets of what they would calculate; tables that are downloaded here have it. */
const APOSTROPHE = /^'(?=[ "]*[=+\-@＝＋－＠])/;

function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, remark, quoted, plain = '', end = ''] of text.matchAll(CELL)) {
    const cell = (quoted?.replaceAll('""', '"') ?? plain).trim().replace(APOSTROPHE, '');
    if (remark === undefined) rows.at(-1)?.push(cell);
    if (/[\r\n]/.test(end)) rows.push([]);
  }
  return rows.filter(({ length }) => length > 0);
}

const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);

/** The ids of a file: of the column that its head names, and of the first one where there is no such head. */
export function idsOfCsv(text: string, list: Draft['list']): Pick<Draft, 'ids' | 'list'> {
  const lines = rowsOf(text.replace(/^\uFEFF/, ''));
  const head = (lines[0] ?? []).map((name) => name.toLowerCase());
  const named = head.find(isColumn);
  const at = named === undefined ? 0 : head.indexOf(named);
  const rows = named === undefined ? lines : lines.slice(1);
  const ids = rows.map((row) => row[at] ?? '').filter((id) => id !== '');
  return { ids: ids.join('\n'), list: named === undefined ? list : COLUMNS[named] };
}
