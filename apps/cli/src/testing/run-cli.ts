import { Readable } from 'node:stream';
import { run } from '../run';

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliInput {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Whether somebody looks at standard error. */
  readonly isTerminal?: boolean;
  /** What whoever sits at the terminal answers; absent: nobody does. */
  readonly answer?: string;
  /** Resolves when the user asks for the end. */
  readonly interrupted?: Promise<void>;
}

/** One run of the command line, with everything it wrote. */
export async function runCli(
  argv: readonly string[],
  { env = {}, stdin, answer, isTerminal = answer !== undefined, interrupted }: CliInput = {},
): Promise<CliRun> {
  let out = '';
  let err = '';
  const given = (): Buffer => {
    if (stdin === undefined) throw new Error('nothing was given');
    return Buffer.from(stdin);
  };
  const code = await run(argv, {
    env,
    writeOut: (text) => void (out += text),
    writeErr: (text) => void (err += text),
    pipeOut: (text) => Promise.resolve(void (out += text)),
    isTerminal,
    ask: answer === undefined ? undefined : (question) => Promise.resolve(((err += question), answer)),
    readIn: () => new Promise((resolve) => resolve(given().toString())),
    readInPieces: () => Readable.from([given()]),
    untilInterrupted: () => interrupted ?? new Promise(() => undefined),
  });
  return { code, out, err };
}
