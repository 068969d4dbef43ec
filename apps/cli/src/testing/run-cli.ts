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
  /** Resolves when the user asks for the end. */
  readonly interrupted?: Promise<void>;
}

/** One run of the command line, with everything it wrote. */
export async function runCli(
  argv: readonly string[],
  { env = {}, stdin, isTerminal = false, interrupted }: CliInput = {},
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
    readIn: () => new Promise((resolve) => resolve(given().toString())),
    readInPieces: () => Readable.from([given()]),
    untilInterrupted: () => interrupted ?? new Promise(() => undefined),
  });
  return { code, out, err };
}
