/** Something that whoever sits at the terminal can put right: shown without a stack. */
export class Problem extends Error {
  name = 'Problem';

  constructor(message, { exitCode = 1, ...options } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Shows what went wrong and gives the exit code that says so. */
export function report(error) {
  const isProblem = error instanceof Problem;
  process.stderr.write(`\n${isProblem ? error.message : (error?.stack ?? String(error))}\n`);
  return isProblem ? error.exitCode : 1;
}
