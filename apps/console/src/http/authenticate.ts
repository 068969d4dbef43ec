import { openGuessBrake, Refusal, type HttpRequest } from '@pushfleet/http-edge';
import { addressOf, isSameSecret, networkOf } from '@pushfleet/service-kit';
import type { ConsolePorts } from '../ports';

type Ports = Pick<ConsolePorts, 'adminToken' | 'proxyHops' | 'now' | 'log'>;

export type Authenticate = (req: HttpRequest) => Promise<void>;

const GUESSES_PER_MINUTE = 20;

/** Lets through who presents the admin token; whoever guesses waits. */
export function openAuthenticate({ adminToken, proxyHops, now, log }: Ports): Authenticate {
  const brake = openGuessBrake(GUESSES_PER_MINUTE, now);
  return async (req) => {
    const network = networkOf(addressOf(req, proxyHops));
    const waitMs = brake.waitMs(network);
    if (waitMs > 0)
      throw new Refusal(
        'too-many-calls',
        'too many wrong tokens from this address; try again later',
        Math.ceil(waitMs / 1000),
      );
    const [, presented] = /^Bearer +(.+)$/i.exec(req.headers.authorization ?? '') ?? [];
    if (presented === undefined)
      throw new Refusal('unauthorised', 'send the header "Authorization: Bearer ADMIN_TOKEN"');
    if (isSameSecret(presented, adminToken)) return;
    if (brake.guessed(network)) log.warn({ network }, 'too many wrong admin tokens');
    throw new Refusal('unauthorised', 'the token is not right');
  };
}
