import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { Problem } from './problem';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets through who presents the admin token; compared by digest, in constant time whatever its length. */
export function requireToken(adminToken: string): RequestHandler {
  const expected = digest(adminToken);
  return (req, res, next) => {
    const [, presented] = /^Bearer +(.+)$/i.exec(req.headers.authorization ?? '') ?? [];
    if (presented !== undefined && timingSafeEqual(digest(presented), expected)) return next();
    res.set('WWW-Authenticate', 'Bearer');
    throw new Problem(
      'unauthorized',
      presented === undefined ? 'send the header "Authorization: Bearer ADMIN_TOKEN"' : 'the token is not right',
    );
  };
}
