const { table } = require('./markdown-table.cjs');

const INTRO = `# Limits

Every input has a bound. What goes over one is refused with an error that names the limit and its value, before the work is
done; nothing is cut off in silence. Limits that \`setting\` names are changed there, the others are fixed.

- \`answer\` is the HTTP status and the code of the 1.1 API. In a batch the element gets the code, and the others are served.
- \`limits.…\` are settings of an app: \`pushfleet apps update\`, or \`PATCH /api/v1/apps/:id\`. What is off there may be set, and 0
  switches off what is on.
- What is stored and already over a limit, because it came before the limit, may be saved again unless it grows.
- The vendors' own limits are in [vendors.md](vendors.md); what may be set by environment is in
  [configuration.md](configuration.md).

This page is written by \`npm run build && node scripts/write-limits.mjs\` from \`packages/domain/src/limits\`.
`;

const escaped = (text) => text.replaceAll('|', '\\|');

const inUnits = (value) => value.toLocaleString('en-US');

function beyondOf({ answer, beyond }) {
  const refusal = answer === undefined ? [] : [`${answer.status} / ${answer.code}`];
  return [...refusal, ...(beyond === undefined ? [] : [escaped(beyond)])].join('. ');
}

function sectionOf({ title, limits }) {
  const rows = Object.entries(limits).map(([name, limit]) => [
    `\`${name}\``,
    limit.value === 0 ? 'off' : `${inUnits(limit.value)} ${limit.unit}`,
    escaped(limit.bounds),
    beyondOf(limit),
    limit.setting === undefined ? '–' : `\`${limit.setting}\``,
  ]);
  return `## ${title}\n\n${table(['limit', 'value', 'what it bounds', 'answer', 'setting'], rows)}\n`;
}

/** `docs/limits.md`: every limit once, by area. `areas` is `LIMIT_AREAS` of the domain. */
const limitsPage = (areas) => [INTRO, ...areas.map(sectionOf)].join('\n');

module.exports = { limitsPage };
