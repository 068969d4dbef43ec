/** What a command may touch of the process that runs it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  writeOut(text: string): void;
  writeErr(text: string): void;
  /** Resolves when whoever reads standard output has taken it. */
  pipeOut(text: string): Promise<void>;
  /** Whether standard error is shown to somebody. */
  readonly isTerminal: boolean;
  /** Asks whoever sits at the terminal; absent where nobody does. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** All of standard input. */
  readIn(): Promise<string>;
  /** Standard input in pieces, as they are asked for. */
  readInPieces(): AsyncIterable<Buffer>;
  /** Resolves when the user asks for the end; a command that does not wait for it is ended by the system. */
  untilInterrupted(): Promise<void>;
}
