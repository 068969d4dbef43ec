import { Refusal } from '@pushfleet/http-edge';

interface LibraryError {
  readonly name?: string;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

const NO_ANSWER: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/** What the sign-in page tells of a sign-in that failed at the provider; the log tells all of it. */
export function refusalOf(cause: unknown): Refusal {
  const { name, code, error, error_description: description } = (cause ?? {}) as LibraryError;
  if (typeof error === 'string') {
    const words = [error, description]
      .filter((part) => typeof part === 'string')
      .join(': ')
      .slice(0, 200);
    if (name === 'AuthorizationResponseError') return new Refusal('unauthorised', `the provider refuses: ${words}`);
    if (error === 'invalid_grant')
      return new Refusal('unauthorised', 'this sign-in is used up or too old: begin again');
    return new Refusal('unavailable', `the provider refuses this console: ${error.slice(0, 200)}`);
  }
  if (typeof code === 'string' && code.startsWith('OAUTH_') && !NO_ANSWER.includes(code))
    return new Refusal('unauthorised', 'what the provider answered is not right: begin again');
  return new Refusal('unavailable', 'the OpenID Connect provider gave no answer: try again');
}
