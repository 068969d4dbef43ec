/** The command cannot be carried out as it was typed; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The console did not do what was asked, or could not be reached. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

/** The system's name for what went wrong, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}
