/** How a channel is added, as `docs/add-a-channel.md` tells it and `new-channel` repeats it. */
const STEPS = [
  { does: '`npm run new-channel NAME`', gives: 'a folder whose tests pass, for an example vendor' },
  { does: 'edit the folder, file by file', gives: "the vendor's own requests, answers and codes" },
  { does: '`npm run generate`', gives: 'compose, env files, Prometheus, Kubernetes, documents' },
  { does: '`npm run test:quick`, and `npm run check`', gives: 'proof that shared code can work with it' },
  { does: '`npm start`', gives: "a fleet that sends to the vendor's simulator" },
];

const words = ({ does }) => does.replaceAll('`', '');

/** What is left to do when the first step is done, in words for a terminal. */
function stepsAfterTheFirst() {
  const width = Math.max(...STEPS.slice(1).map((step) => words(step).length));
  const lines = STEPS.map((step, i) => `  ${i + 1}. ${words(step).padEnd(width)}  ${step.gives}\n`).slice(1);
  return `\nNext, each as docs/add-a-channel.md tells it:\n${lines.join('')}`;
}

module.exports = { STEPS, stepsAfterTheFirst };
