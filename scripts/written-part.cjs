/** A page with what stands between two lines of it replaced. */
function withWritten(page, { begin, end, part }) {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end).slice(1).join(end);
  if (!after) throw new Error(`the page has no place for what is written between ${begin} and ${end}`);
  return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}

module.exports = { withWritten };
