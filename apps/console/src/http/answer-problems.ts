import { isUnreadableSecret, RedisFull } from '@pushfleet/store';
import { InvalidInput } from '@pushfleet/domain';
import type { RequestHandler, Response } from 'express';
import type { ConsolePorts } from '../ports';
import { Problem, type ProblemKind } from './problem';

type Ports = Pick<ConsolePorts, 'isStoreReachable' | 'log'>;

const RETRY_AFTER_SECONDS = '2';

/** Runs the routes; every error of theirs, and a request that none of them serves, is answered here. */
export function answerProblems(ports: Ports, routes: RequestHandler): RequestHandler {
  return (req, res) => {
    const nowhere = () => new Problem('not-found', `${req.method} ${req.path} is not a route of this API`);
    void routes(req, res, (error?: unknown) => void answer(ports, res, error ?? nowhere()));
  };
}

async function answer(ports: Ports, res: Response, error: unknown): Promise<void> {
  const problem = problemOf(error) ?? (await unforeseen(ports, error));
  if (problem.kind === 'defect') ports.log.error({ err: error }, 'a request failed');
  if (res.headersSent) res.destroy();
  else send(res, problem);
}

function send(res: Response, problem: Problem): void {
  if (problem.kind === 'unavailable') res.set('Retry-After', RETRY_AFTER_SECONDS);
  res.status(problem.status).json(problem.body());
}

/** The body parser's own names; its messages repeat parts of the body and are not passed on. */
const BODY_PROBLEMS: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  'entity.parse.failed': ['malformed-json', 'the body is not JSON'],
  'encoding.unsupported': ['unsupported-type', 'this Content-Encoding is not supported'],
  'charset.unsupported': ['unsupported-type', 'the body must be UTF-8'],
};

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidInput) return new Problem(kindOf(error), error.message);
  if (isUnreadableSecret(error)) return new Problem('conflict', error.message);
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: unknown };
  if (type === 'entity.too.large') return new Problem('too-large', `the body is larger than ${mebibytes(limit)} MiB`);
  const known = typeof type === 'string' ? BODY_PROBLEMS[type] : undefined;
  if (known) return new Problem(...known);
  return status === 400 ? new Problem('invalid', 'the request is malformed') : undefined;
}

const mebibytes = (bytes: unknown): number => Number(bytes) / 1024 / 1024;

/** What the rules of the fleet refuse, a caller may correct. */
const kindOf = ({ problem }: InvalidInput): ProblemKind =>
  problem === 'too-large' || problem === 'malformed-json' ? problem : 'invalid';

async function unforeseen(ports: Ports, error: unknown): Promise<Problem> {
  if (error instanceof RedisFull) return new Problem('unavailable', error.message);
  if (isOutOfMemory(error)) return new Problem('unavailable', 'Redis has no memory left');
  if (!(await ports.isStoreReachable())) return new Problem('unavailable', 'Redis cannot be reached');
  return new Problem('defect', 'the console has a defect; its log tells more');
}

/** Redis puts its error code first in the message and nowhere else. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError' && error.message.startsWith('OOM ');
