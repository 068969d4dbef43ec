import { InvalidInput } from '@pushfleet/domain';
import { headersOf, jsonAnswer, type Answer, type Diagnosis, type Dialect } from '@pushfleet/http-edge';
import { AppFull, isUnreadableSecret, RedisFull } from '@pushfleet/store';
import { Problem, PROBLEMS, type ProblemKind } from './problem';

const isKind = (problem: string): problem is ProblemKind => Object.hasOwn(PROBLEMS, problem);

/** What the rules of the fleet refuse, a caller may correct. */
const kindOf = (problem: string): ProblemKind => (isKind(problem) ? problem : 'invalid');

/** How the admin API speaks of errors. */
export const adminDialect: Dialect = {
  diagnose(error): Diagnosis | undefined {
    if (error instanceof InvalidInput) return { problem: kindOf(error.problem), message: error.message };
    if (isUnreadableSecret(error)) return { problem: 'conflict', message: error.message };
    // Without a time to come again: an import waits for nobody to delete something.
    if (error instanceof AppFull) return { problem: 'too-many-calls', message: error.message };
    if (error instanceof RedisFull) return { problem: 'unavailable', message: error.message };
    const why = refusalOf(error);
    return why === undefined ? undefined : { problem: 'unavailable', message: why };
  },
  texts: {
    unavailable: 'Redis cannot be reached',
    full: 'Redis has no memory left',
    malformedUrl: 'the request is malformed',
    defect: (requestId) => `the console has a defect; its log tells more of request ${requestId}`,
  },
  answer(diagnosis) {
    const { status, code, retryAfterSeconds } = PROBLEMS[kindOf(diagnosis.problem)];
    const details = diagnosis instanceof Problem && diagnosis.details.length > 0 ? { details: diagnosis.details } : {};
    // RFC 9110, section 11.6.1: a 401 names the scheme that is asked for.
    const challenge: Answer['headers'] = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    const headers = { ...challenge, ...headersOf(diagnosis, retryAfterSeconds) };
    return jsonAnswer(status, { code, error: diagnosis.message, ...details }, headers);
  },
  // Answers carry keys: no cache may keep them.
  headers: ['cache-control', 'no-store'],
};

const WRITES_NOTHING = new Set(['MISCONF', 'NOREPLICAS', 'READONLY']);

/** Why a Redis that is reached takes no command of these: a full disk, for instance, which its own words tell. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  // Redis puts its error code first in the message and nowhere else.
  const [code = ''] = error.message.split(' ', 1);
  if (code === 'OOM') return 'Redis has no memory left';
  return WRITES_NOTHING.has(code) ? `Redis writes nothing: ${error.message}` : undefined;
}
