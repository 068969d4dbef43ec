const { table } = require('./markdown-table.cjs');

const INTRO = `# Reasons

What a push record says of devices that a push did not reach, in plain words, and what to do. The record names each reason in
\`channels\` (how many), \`errors\` (with the vendor's own code and words, an \`action\` and sample devices) and \`waiting\`. The
same words: \`npx pushfleet reasons\`, and \`GET /api/v1/reasons\` of the console.

This page is written by \`npm run build && node scripts/write-reasons.mjs\` from \`packages/domain/src/reasons.ts\`.
`;

const SECTIONS = [
  ['discarded', 'Discarded: not handed over, or refused', 'Each device has one outcome, and a discard is final.'],
  [
    'failed',
    'Failed: no verdict could be had',
    'What is tried again, and for how long, stands in [vendors.md](vendors.md).',
  ],
  [
    'waiting',
    'Waiting: not done yet',
    'A wait has an end, `until`, and a count, `devices`. Nothing is lost while it lasts.',
  ],
];

const escaped = (text) => text.replaceAll('|', '\\|');

const NOTE_OF = (reason) => (reason.retires ? ' The device leaves the audience until then.' : '');

function sectionOf(reasons, [kind, title, intro]) {
  const isOver = kind !== 'waiting';
  const rows = reasons
    .filter((reason) => reason.kind === kind)
    .map((reason) => [
      `\`${reason.reason}\``,
      escaped(reason.means),
      escaped(reason.remedy) + NOTE_OF(reason),
      ...(isOver ? [`\`${reason.action}\``] : []),
    ]);
  const head = ['reason', 'what it means', 'what to do', ...(isOver ? ['`action`'] : [])];
  return `## ${title}\n\n${intro}\n\n${table(head, rows)}\n`;
}

const actionsOf = (advice) =>
  `## Actions\n\nFor programs that read \`action\`.\n\n${table(
    ['action', 'what it asks for'],
    Object.entries(advice).map(([action, text]) => [`\`${action}\``, escaped(text)]),
  )}\n`;

/** `docs/reasons.md`; `reasons` is `DESCRIBED_REASONS` of the domain, `advice` its `ADVICE_TEXTS`. */
const reasonsPage = (reasons, advice) =>
  [INTRO, ...SECTIONS.map((section) => sectionOf(reasons, section)), actionsOf(advice)].join('\n');

module.exports = { reasonsPage };
