import { addressOf, isSameSecret, networkOf } from '@pushfleet/service-kit';
import type { RequestHandler } from 'express';
import type { ConsolePorts } from '../ports';
import { openGuessBrake } from './guess-brake';
import { Problem } from './problem';

type Ports = Pick<ConsolePorts, 'adminToken' | 'proxyHops' | 'now' | 'log'>;

/** Lets through who presents the admin token; whoever guesses waits. */
export function requireToken({ adminToken, proxyHops, now, log }: Ports): RequestHandler {
  const brake = openGuessBrake(now);
  return (req, res, next) => {
    const network = networkOf(addressOf(req, proxyHops));
    const waitMs = brake.waitMs(network);
    if (waitMs > 0) {
      res.set('Retry-After', String(Math.ceil(waitMs / 1000)));
      throw new Problem('too-many-guesses', 'too many wrong tokens from this address; try again later');
    }
    const [, presented] = /^Bearer +(.+)$/i.exec(req.headers.authorization ?? '') ?? [];
    if (presented !== undefined && isSameSecret(presented, adminToken)) return next();
    if (presented !== undefined && brake.guessed(network)) log.warn({ network }, 'too many wrong admin tokens');
    res.set('WWW-Authenticate', 'Bearer');
    throw new Problem(
      'unauthorized',
      presented === undefined ? 'send the header "Authorization: Bearer ADMIN_TOKEN"' : 'the token is not right',
    );
  };
}
