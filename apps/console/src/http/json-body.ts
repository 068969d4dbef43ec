import { checkJsonLevels, LIMITS } from '@pushfleet/domain';
import { json, type RequestHandler } from 'express';
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
  json({ limit, type: () => true, verify: (_req, _res, bytes) => checkJsonLevels(bytes, levels) }),
];
