/** What the edge refuses by itself, in every service. */
export type EdgeProblem =
  | 'malformed-url'
  | 'malformed-http'
  | 'headers-too-large'
  | 'unsupported-encoding'
  | 'too-slow'
  | 'unauthorised'
  | 'route-unknown'
  | 'method-unknown'
  | 'too-many-calls'
  | 'unavailable'
  | 'defect';

/** A request is refused; `message` is safe to show to the caller. */
export class Refusal<Problem extends string = EdgeProblem> extends Error {
  override readonly name: string = 'Refusal';

  constructor(
    readonly problem: Problem,
    message: string,
    /** Instead of what the service says for the problem. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The address exists, under other methods. */
export class MethodRefusal extends Refusal<'method-unknown'> {
  constructor(readonly allow: readonly string[]) {
    super('method-unknown', `The method must be ${allow.join(' or ')}.`);
  }
}

/** The caller left before there was an answer: there is nobody to tell. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** What of the service was used up: a reason for its metrics. */
export type Shortage = 'deadline' | 'bodies' | 'bodies-of-account' | 'answers' | 'answers-of-account';

/** The service has not enough of something at the moment. */
export class Overload extends Refusal<'unavailable'> {
  constructor(
    readonly shortage: Shortage,
    message: string,
  ) {
    super('unavailable', message);
  }
}
