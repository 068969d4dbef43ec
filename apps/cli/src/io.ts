/** What a command may touch of the process that runs it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  writeOut(text: string): void;
  writeErr(text: string): void;
  /** All of standard input. */
  readIn(): Promise<string>;
}
