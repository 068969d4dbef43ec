/** An operator has to correct something before a process can serve. A service prints the line and leaves. */
export class MustCorrect extends Error {
  override readonly name: string = 'MustCorrect';
  readonly code = 'config-invalid';
  readonly lines: readonly string[];

  constructor(line: string, options?: ErrorOptions) {
    super(line, options);
    this.lines = [line];
  }
}
