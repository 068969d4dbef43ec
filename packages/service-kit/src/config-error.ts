/** What the operator must correct; `runService` prints the lines as they are and leaves. */
export class ConfigError extends Error {
  readonly code = 'config-invalid';

  constructor(
    readonly lines: readonly string[],
    options?: ErrorOptions,
  ) {
    super(lines.join('\n'), options);
    this.name = 'ConfigError';
  }
}

export const isConfigError = (error: unknown): error is ConfigError =>
  error instanceof Error && 'code' in error && error.code === 'config-invalid' && 'lines' in error;
