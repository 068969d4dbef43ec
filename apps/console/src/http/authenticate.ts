import { createHmac } from 'node:crypto';
import { openGuessBrake, Refusal, type HttpRequest } from '@pushfleet/http-edge';
import { addressOf, isSameSecret, networkOf } from '@pushfleet/service-kit';
import { callerBy, type OidcPerson } from '../people/oidc/oidc-person';
import { isSecretOf, readToken } from '../people/api-token-secret';
import type { ConsolePorts } from '../ports';
import type { Caller } from './access';
import { refuseOtherSites } from './browser-guard';
import { isSessionKept, signedInOf, type SignedIn } from './session-cookie';

type Ports = Pick<ConsolePorts, 'adminToken' | 'oidc' | 'proxyHops' | 'now' | 'log' | 'sessions'> & {
  readonly store: Pick<ConsolePorts['store'], 'people'>;
};

export type Authenticate = (req: HttpRequest) => Promise<Caller>;

const GUESSES_PER_MINUTE = 20;

/** Who has the admin token may do everything. */
export const BY_ADMIN_TOKEN: Caller = { by: 'admin-token', role: 'owner', apps: 'all' };

/** A session that was begun with the admin token ends when there is another one; it tells nothing of the token. */
export const adminGeneration = ({ adminToken, sessions }: Pick<ConsolePorts, 'adminToken' | 'sessions'>): string =>
  createHmac('sha256', sessions.secretKeys[0]).update(`session ${adminToken}`).digest('base64url');

/** Tells who is calling, by token or by session; whoever guesses tokens waits. */
export function openAuthenticate(ports: Ports): Authenticate {
  const { proxyHops, now, log } = ports;
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
    const { authorization } = req.headers;
    if (authorization === undefined) return bySession(ports, req);
    const [, presented] = /^Bearer +(.+)$/i.exec(authorization) ?? [];
    if (presented === undefined) throw nobody();
    const caller = await byToken(ports, presented);
    if (caller) return caller;
    if (brake.guessed(network)) log.warn({ network }, 'too many wrong admin tokens');
    throw new Refusal('unauthorised', 'the token is not right');
  };
}

/** Tells who is calling of a request that is served for long: its session may have ended since. */
export const openReauthenticate =
  ({ store }: Pick<Ports, 'store'>, authenticate: Authenticate): Authenticate =>
  async (req) => {
    if (!(await isSessionKept(store.people.sessions, req))) throw sessionOver();
    return authenticate(req);
  };

const sessionOver = (): Refusal => new Refusal('unauthorised', 'the session is over: sign in again');

const nobody = (): Refusal =>
  new Refusal('unauthorised', 'sign in, or send the header "Authorization: Bearer ADMIN_TOKEN"');

async function byToken({ adminToken, store, now }: Ports, presented: string): Promise<Caller | undefined> {
  if (isSameSecret(presented, adminToken)) return BY_ADMIN_TOKEN;
  const read = readToken(presented);
  const token = read && (await store.people.apiTokens.get(read.id));
  if (!read || !token || !isSecretOf(token, read.secret)) return undefined;
  if (token.expiresAt <= now()) throw new Refusal('unauthorised', `the token ${token.name} has expired`);
  return { by: `token ${token.name} (${token.id})`, role: token.role, apps: token.apps };
}

async function bySession(ports: Ports, req: HttpRequest): Promise<Caller> {
  const signedIn = signedInOf(req);
  if (!signedIn) throw nobody();
  refuseOtherSites(req);
  const caller = ports.now() - signedIn.at < ports.sessions.lifeMs ? await callerOf(ports, signedIn) : undefined;
  if (!caller) throw sessionOver();
  return caller;
}

/** Role and apps are what they are now, not what they were at sign-in. */
async function callerOf(ports: Ports, signedIn: SignedIn): Promise<Caller | undefined> {
  const { person, generation } = signedIn;
  if (signedIn.oidc) return fromElsewhere(ports, signedIn, signedIn.oidc);
  if (person === undefined) return generation === adminGeneration(ports) ? BY_ADMIN_TOKEN : undefined;
  const known = await ports.store.people.persons.get(person);
  if (known?.generation !== generation) return undefined;
  return { by: `person ${known.name}`, person: known.name, role: known.role, apps: known.apps };
}

/** The claims are those of the sign-in: what it gave ends with the mapping that gave it, or when somebody ends it. */
async function fromElsewhere(
  { oidc, store }: Ports,
  { generation, ofSubject }: SignedIn,
  person: OidcPerson,
): Promise<Caller | undefined> {
  if (oidc?.generation !== generation) return undefined;
  const now = await store.people.sessions.generationOf(person.subject);
  return now === undefined || now === ofSubject ? callerBy(person) : undefined;
}
