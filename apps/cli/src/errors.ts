/** The command cannot be carried out as it was typed; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The console did not do what was asked, or could not be reached. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** After this time the same request may succeed. */
  readonly retryAfterMs: number | undefined;
  /** What the console answered; absent when it did not. */
  readonly status: number | undefined;

  constructor(
    message: string,
    { retryAfterMs, status, ...options }: ErrorOptions & { retryAfterMs?: number; status?: number } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}

/** The user ended the command before it was done; the message says how to go on. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** A file that is of no use, and why. */
export const fileError = (path: string, use: 'read' | 'written', cause: unknown): UsageError =>
  new UsageError(`${path}: cannot be ${use} (${systemCode(cause) ?? 'unknown error'})`, { cause });

/** The system's name for what went wrong, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}
