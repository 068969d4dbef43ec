const { table } = require('../markdown-table.cjs');
const { withWritten } = require('../written-part.cjs');
const { referenceOf } = require('./reference.cjs');
const { usedDeclarations } = require('./used-declarations.cjs');

const stepsPart = (steps) =>
  table(
    ['step', 'you do', 'you have'],
    steps.map(({ does, gives }, i) => [String(i + 1), does, gives]),
  );

const reasonsPart = (reasons) =>
  table(
    ['reason', 'it means', 'the device'],
    Object.entries(reasons).map(([reason, { means, retires }]) => [
      `\`${reason}\``,
      means,
      retires ? 'leaves the audience' : 'stays',
    ]),
  );

/** `docs/add-a-channel.md` with its written parts; `steps` are those of `new-channel`, `reasons` the discards of the domain. */
function channelGuide(page, { steps, reasons }) {
  const parts = { steps: stepsPart(steps), reasons: reasonsPart(reasons), reference: referenceOf(usedDeclarations()) };
  return Object.entries(parts).reduce(
    (written, [name, part]) =>
      withWritten(written, {
        begin: `<!-- ${name}: written by \`npm run generate -- guide\`; edits are lost. -->`,
        part,
        end: `<!-- end of ${name} -->`,
      }),
    page,
  );
}

module.exports = { channelGuide };
