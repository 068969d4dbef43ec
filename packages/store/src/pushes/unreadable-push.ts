/** The record of a push cannot be read, and trying again will not help. Recognise the error by `code`. */
export class UnreadablePush extends Error {
  readonly code = 'unreadable-push';

  constructor(pushId: string, cause: unknown) {
    super(`what is stored of push ${pushId} cannot be read`, { cause });
    this.name = 'UnreadablePush';
  }
}

export const isUnreadablePush = (error: unknown): error is UnreadablePush =>
  error instanceof Error && 'code' in error && error.code === 'unreadable-push';

/** Runs a parser of the fields of a push; what it throws becomes an `UnreadablePush`. */
export function readingPush<T>(pushId: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new UnreadablePush(pushId, cause);
  }
}
