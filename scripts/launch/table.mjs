/** Columns of text, each as wide as its widest cell. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}
