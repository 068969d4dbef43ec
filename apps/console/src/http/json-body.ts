import { checkJsonLevels, InvalidInput, LIMITS } from '@pushfleet/domain';
import { parseBody } from '@pushfleet/http-edge';
import { raw, type Request, type RequestHandler, type Response } from 'express';
import { Problem } from './problem';

const MAX_BODY_BYTES = LIMITS.adminBytes.value;

const requireJson: RequestHandler = (req, _res, next) => {
  const isEmpty = req.headers['content-length'] === '0';
  if (!isEmpty && req.is('application/json') === false)
    throw new Problem('unsupported-type', 'the body must be JSON: send "Content-Type: application/json"');
  next();
};

type BodyLevels = 'jsonLevels' | 'batchJsonLevels';

export const jsonBody = (limit = MAX_BODY_BYTES, levels: BodyLevels = 'jsonLevels'): readonly RequestHandler[] => [
  requireJson,
  raw({ limit, type: () => true, verify: (_req, _res, bytes) => checkJsonLevels(bytes, levels) }),
  parsed(levels),
];

/** Integers keep their digits, and a large body leaves turns to others: both are what the body parser's own reader lacks. */
const parsed =
  (levels: BodyLevels): RequestHandler =>
  async (req, res, next) => {
    const bytes: unknown = req.body;
    if (Buffer.isBuffer(bytes)) req.body = bytes.length === 0 ? {} : await containerOf(bytes, levels, gone(req, res));
    next();
  };

async function containerOf(bytes: Buffer, levels: BodyLevels, signal: AbortSignal): Promise<object> {
  const value = await parseBody(bytes, levels, signal);
  if (typeof value !== 'object' || value === null) throw new InvalidInput('malformed-json', 'the body is not JSON');
  return value;
}

/** Aborted when nobody waits for the answer any more. */
function gone(req: Request, res: Response): AbortSignal {
  const over = new AbortController();
  res.once('close', () => over.abort());
  if (req.destroyed) over.abort();
  return over.signal;
}
