/** Error codes of the User Information API that the MAC scheme alone can give. */
export type MacRefusalCode = 'invalid_request' | 'invalid_time' | 'access_denied' | 'replay_attacks';

/** A request is not let in; `message` is for the caller and never repeats what the caller sent. */
export class MacRefusal extends Error {
  override readonly name = 'MacRefusal';

  constructor(
    readonly code: MacRefusalCode,
    message: string,
  ) {
    super(message);
  }
}

export const isMacRefusal = (error: unknown): error is MacRefusal =>
  error instanceof Error && error.name === 'MacRefusal' && 'code' in error;
