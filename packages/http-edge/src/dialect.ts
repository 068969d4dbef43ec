import { InvalidInput } from '@pushfleet/domain';
import { isRedisAway, RedisFull } from '@pushfleet/store';
import { type Answer } from './answer';
import { MethodRefusal, Refusal } from './refusal';

/** What went wrong, in words for the caller. */
export interface Diagnosis {
  readonly problem: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
  /** Methods of an address that was asked with another one. */
  readonly allow?: readonly string[];
}

/** How a service speaks of errors. */
export interface Dialect {
  /** What an error of the service's own means; undefined leaves it to the edge. */
  readonly diagnose?: (error: unknown) => Diagnosis | undefined;
  /** What callers read where the error itself must not speak. */
  readonly texts: {
    readonly unavailable: string;
    readonly full: string;
    readonly malformedUrl: string;
    readonly defect: (requestId: string) => string;
  };
  readonly answer: (diagnosis: Diagnosis) => Answer;
  /** Answers are compressed for nobody: callers get the bytes that they know. */
  readonly isPlain?: true;
  /** Names and values in turn, in every answer. */
  readonly headers: readonly string[];
  /** The same for callers from another origin, which browsers name. */
  readonly originHeaders?: readonly string[];
}

/** What is queued has to drain first. */
const FULL_RETRY_SECONDS = 10;

/** Undefined for a defect of ours. */
export function diagnose(dialect: Dialect, error: unknown): Diagnosis | undefined {
  const { diagnose: ofService, texts } = dialect;
  const own = ofService?.(error);
  if (own) return own;
  if (error instanceof MethodRefusal || error instanceof Refusal || error instanceof InvalidInput) return error;
  if (error instanceof URIError) return { problem: 'malformed-url', message: texts.malformedUrl };
  if (error instanceof RedisFull)
    return { problem: 'unavailable', message: texts.full, retryAfterSeconds: FULL_RETRY_SECONDS };
  return isRedisAway(error) ? { problem: 'unavailable', message: texts.unavailable } : undefined;
}

/** Headers that a diagnosis calls for; `usual` is what the service says for the problem. */
export function headersOf(diagnosis: Diagnosis, usual?: number): Readonly<Record<string, string>> | undefined {
  const { retryAfterSeconds = usual, allow } = diagnosis;
  if (retryAfterSeconds === undefined && allow === undefined) return undefined;
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { allow: allow.join(', ') }),
  };
}
