import type { Request, RequestHandler } from 'express';
import type { ConsoleMetrics } from '../metrics';

export function countRequests({ countRequest }: ConsoleMetrics): RequestHandler {
  return (req, res, next) => {
    res.once('finish', () => countRequest(routeOf(req), res.statusCode));
    next();
  };
}

function routeOf(req: Request): string {
  const { path } = (req.route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? `${req.method} ${path}` : 'none';
}
