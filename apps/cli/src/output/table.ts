/** Columns as wide as their widest cell; numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [head, ...rows].map((row) => row.map(textOf));
  const widths = head.map((_, column) => Math.max(...texts.map((row) => widthOf(row[column] ?? ''))));
  const isNumeric = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => {
        const pad = ' '.repeat((widths[column] ?? 0) - widthOf(text));
        return isNumeric[column] ? pad + text : text + pad;
      })
      .join('  ')
      .trimEnd();
  return `${texts.map(line).join('\n')}\n`;
}

export type Cell = string | number | boolean | undefined;

/** Names and their values, a line each. */
export function fields(entries: readonly (readonly [name: string, value: Cell])[]): string {
  const shown = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${textOf(value)}\n`).join('');
}

/** Names and words of vendors may hold anything; control characters must not reach the terminal. */
const textOf = (cell: Cell): string =>
  cell === undefined || cell === '' ? '-' : String(cell).replace(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Ideographs and full-width signs take two columns of a terminal. */
const widthOf = (text: string): number =>
  [...text].reduce((width, char) => width + (/[ᄀ-ᅟ⺀-꓏가-힣豈-﫿︰-﹏＀-｠￠-￦]/u.test(char) ? 2 : 1), 0);
