/** What a caller can get wrong. The HTTP edge maps each kind to a status and a code of the 1.1 API. */
export type InputProblem =
  | 'malformed-json'
  | 'wrong-type'
  | 'invalid-query'
  | 'invalid-cql'
  | 'channel-name'
  | 'client-id'
  | 'required-field'
  | 'expiration-conflict'
  | 'push-time'
  | 'threshold'
  | 'key-name'
  | 'misconfigured'
  | 'too-large';

/** The caller sent something that cannot be accepted; `message` names the field and is safe to show to the caller. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';

  constructor(
    readonly problem: InputProblem,
    message: string,
  ) {
    super(message);
  }
}
