import { hash, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { keysOf, type AppWithKeys, type KeyOfApp } from '@pushfleet/domain';
import { isSameSecret } from '@pushfleet/service-kit';
import { Refusal } from './problem';

/** Who is asking: an app, with its app key or its master key. */
export interface Caller {
  readonly app: AppWithKeys;
  readonly isMaster: boolean;
}

export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Caller>;

export interface AuthenticatePorts {
  readonly findApp: (id: string) => Promise<AppWithKeys | undefined>;
  readonly now: () => number;
  /** 0: signatures do not age; the clocks of devices drift. */
  readonly signMaxAgeMs: number;
}

/** What the headers claim to prove. */
interface Claim {
  readonly isMaster: boolean;
  holdsFor(key: string): boolean;
}

const MASTER = ',master';
const SIGN = /^([0-9a-f]{32}),(\d{1,16})(,master)?$/;
const MAX_APP_ID_LENGTH = 128;

/** Stands in for an app that does not exist, so that the answer takes as long as for one that does. */
const DECOY = { key: 'no app has this key', masterKey: 'no app has this master key' };

export function openAuthenticate(ports: AuthenticatePorts): Authenticate {
  return async (headers) => {
    const id = textOf(headers['x-lc-id'] ?? headers['x-avoscloud-application-id']);
    if (id === '') throw unauthorised(missing('X-LC-Id'));
    const claim = readClaim(headers, ports);
    const app = await findApp(ports, id);
    const holds = (which: KeyOfApp): boolean => {
      const proofs = keysOf(app ?? DECOY, which, ports.now()).map((key) => claim.holdsFor(key));
      return proofs.includes(true);
    };
    const isRight = holds(claim.isMaster ? 'masterKey' : 'key');
    if (app && isRight) return { app, isMaster: claim.isMaster };
    // Whoever has the master key learns nothing new by this, and whoever guesses learns no more than with the mark.
    const isUnmarked = !claim.isMaster && holds('masterKey');
    throw unauthorised(app && isUnmarked ? UNMARKED : '');
  };
}

async function findApp({ findApp: find }: AuthenticatePorts, id: string): Promise<AppWithKeys | undefined> {
  return id.length > MAX_APP_ID_LENGTH ? undefined : find(id);
}

function readClaim(headers: IncomingHttpHeaders, ports: AuthenticatePorts): Claim {
  const key = headers['x-lc-key'] ?? headers['x-avoscloud-application-key'];
  if (key !== undefined) return keyClaim(textOf(key));
  const sign = headers['x-lc-sign'] ?? headers['x-avoscloud-request-sign'];
  if (sign === undefined) throw unauthorised(missing('X-LC-Key or X-LC-Sign'));
  return signClaim(textOf(sign), ports);
}

function keyClaim(text: string): Claim {
  const isMaster = text.endsWith(MASTER);
  const given = isMaster ? text.slice(0, -MASTER.length) : text;
  return { isMaster, holdsFor: (key) => isSameSecret(given, key) };
}

/** LeanCloud REST guide: `md5(timestamp + key),timestamp[,master]`, the digest in lower case. */
function signClaim(text: string, { now, signMaxAgeMs }: AuthenticatePorts): Claim {
  if (text.endsWith(',ax-sig-1'))
    throw new Refusal(
      'unauthorised',
      'X-LC-Sign: signatures of the kind ax-sig-1 are not taken: docs/migrate.md says what such builds need.',
    );
  const [, digest, timestamp, master] = SIGN.exec(text) ?? [];
  if (digest === undefined || timestamp === undefined) throw unauthorised(MALFORMED_SIGN);
  if (signMaxAgeMs > 0 && Math.abs(now() - Number(timestamp)) > signMaxAgeMs)
    throw new Refusal('unauthorised', 'X-LC-Sign: the timestamp is too far from the time of the server.');
  const given = Buffer.from(digest, 'latin1');
  return {
    isMaster: master !== undefined,
    holdsFor: (key) => timingSafeEqual(given, Buffer.from(hash('md5', timestamp + key, 'hex'), 'latin1')),
  };
}

/** A wrong key and an unknown app get the words of the hosted service, and no more. */
const unauthorised = (why: string): Refusal => new Refusal('unauthorised', `Unauthorized. ${why}`.trimEnd());

const missing = (header: string): string => `The header ${header} is missing.`;
const UNMARKED = 'The master key needs ",master" behind it.';
const MALFORMED_SIGN =
  'X-LC-Sign must be the md5 in lower case of timestamp and key, a comma, the timestamp, and ",master" for the master key.';

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');
