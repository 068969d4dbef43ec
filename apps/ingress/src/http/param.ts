import { type Request } from 'express';

/** A named part of the path. */
export function paramOf(req: Request, name: string): string {
  const value = req.params[name];
  return typeof value === 'string' ? value : '';
}
