const startedAt = Date.now();
const COLOURS = { green: 32, red: 31, dim: 2 };
/** https://no-color.org: set and not empty, it switches colours off. */
const hasColours = (stream) => stream.isTTY === true && !process.env.NO_COLOR;

/** Text in a colour, where the stream is a terminal that wants one. */
export const coloured = (stream, name, text) =>
  hasColours(stream) ? `\u001B[${COLOURS[name]}m${text}\u001B[0m` : text;

/** One line about what is going on; stdout is kept for results. */
export const say = (line) => void process.stderr.write(`${line}\n`);

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
/** Since `npm start` was typed. */
const clock = () => `${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s`;
const line = (mark, colour, text) =>
  `${coloured(process.stderr, 'dim', clock())} ${coloured(process.stderr, colour, mark)} ${text}`;

/** One step: a line when it begins, and one with a mark and its time when it ends. */
export async function step(what, work) {
  const begun = Date.now();
  say(line('…', 'dim', what));
  try {
    const result = await work();
    say(line('✓', 'green', `${what} (${seconds(Date.now() - begun)})`));
    return result;
  } catch (error) {
    say(line('✗', 'red', what));
    throw error;
  }
}
