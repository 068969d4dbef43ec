import { isSameSecret } from '@pushfleet/service-kit';
import type { RequestHandler } from 'express';
import { Problem } from './problem';

/** Lets through who presents the admin token. */
export function requireToken(adminToken: string): RequestHandler {
  return (req, res, next) => {
    const [, presented] = /^Bearer +(.+)$/i.exec(req.headers.authorization ?? '') ?? [];
    if (presented !== undefined && isSameSecret(presented, adminToken)) return next();
    res.set('WWW-Authenticate', 'Bearer');
    throw new Problem(
      'unauthorized',
      presented === undefined ? 'send the header "Authorization: Bearer ADMIN_TOKEN"' : 'the token is not right',
    );
  };
}
