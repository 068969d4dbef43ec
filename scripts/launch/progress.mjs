/** One line about what is going on; stdout is kept for results. */
export const say = (line) => void process.stderr.write(`${line}\n`);
