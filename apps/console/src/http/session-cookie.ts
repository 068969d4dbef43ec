import { hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import { isJsonObject, plainJsonIn } from '@pushfleet/domain';
import type { PeopleStore } from '@pushfleet/store';
import { pathOf, type HttpRequest } from '@pushfleet/http-edge';
import type { OidcPerson } from '../people/oidc/oidc-person';
import session, { Store, type SessionData } from 'express-session';
import { leaveLivingCookie } from './living-cookie';

/** What a session remembers. */
export interface SignedIn {
  /** Of the person; absent for who signed in with the admin token, the link of the demo, or elsewhere. */
  readonly person?: string;
  /** Who signed in at a provider of OpenID Connect. */
  readonly oidc?: OidcPerson;
  /** Of the sessions of who signed in there: another one that is known ends this. Absent: none was known then. */
  readonly ofSubject?: string | undefined;
  /** Of the person, of the admin token or of the provider’s settings: another one ends the session. */
  readonly generation: number | string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

declare module 'express-session' {
  interface SessionData {
    signedIn: SignedIn;
  }
}

export type SessionCookie = ReturnType<typeof session>;

export interface SessionCookieOptions {
  readonly sessions: PeopleStore['sessions'];
  readonly idleMs: number;
  /** What cookies are signed with, the first one from now on. */
  readonly secretKeys: readonly string[];
  readonly isBehindProxy: boolean;
}

export const COOKIE = 'pushfleet';
/** Nothing but the API reads it. */
const COOKIE_PATH = '/api/v1';
/** A page says here that it asks by itself, with nobody at it: that keeps no session alive. */
const REFRESH = 'x-pushfleet-refresh';
/** Browsers ask for a stream by themselves, again and again, and send no header of a page with it. */
const LIVE = `${COOKIE_PATH}/live`;

/** Reads and writes the cookie; what is in its session is for others to judge. */
export const openSessionCookie = ({
  sessions,
  idleMs,
  secretKeys,
  isBehindProxy,
}: SessionCookieOptions): SessionCookie => {
  const store = new RedisSessions(sessions, idleMs);
  const keys = secretKeys.map(signingKey);
  const isKnown = async (id: string): Promise<boolean> => sessionIn((await sessions.get(id)) ?? '') !== null;
  const cookie = session({
    name: COOKIE,
    store,
    secret: keys,
    resave: false,
    saveUninitialized: false,
    proxy: isBehindProxy,
    cookie: { path: COOKIE_PATH, httpOnly: true, sameSite: 'strict', secure: 'auto' },
  });
  return (req, res, next) => {
    const read = (): void => {
      cookie(req, res, (error?: unknown) => {
        // Undefined, whatever the types say, where the session could not be read.
        const begun = (req as { session?: object }).session;
        if (begun && isAutomatic(req)) store.leaveAsItIs(begun);
        next(error);
      });
    };
    leaveLivingCookie(req, { name: COOKIE, keys, isKnown }).then(read).catch(next);
  };
};

const isAutomatic = (req: Parameters<SessionCookie>[0]): boolean =>
  req.headers[REFRESH] === 'automatic' || routedPathOf(req) === LIVE;

/** The path as the router reads it, which takes letters of any case and a slash at the end. */
export const routedPathOf = (req: HttpRequest): string => pathOf(req).toLowerCase().replace(/\/+$/, '');

/** Not the key itself: what a cookie is signed with seals nothing. */
const signingKey = (secretKey: string): string =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secretKey, 'base64'), '', 'session cookies', 32)).toString('base64url');

const sessionOf = (req: HttpRequest): session.Session & Partial<SessionData> => {
  const { session: found } = req as HttpRequest & { session?: session.Session & Partial<SessionData> };
  if (!found) throw new Error('the request did not pass the session cookie');
  return found;
};

export const signedInOf = (req: HttpRequest): SignedIn | undefined =>
  (req as HttpRequest & { session?: Partial<SessionData> }).session?.signedIn;

/** False when the session that a request came with has ended since; one that came without a session has none to end. */
export async function isSessionKept(
  sessions: Pick<PeopleStore['sessions'], 'get'>,
  req: HttpRequest,
): Promise<boolean> {
  if (signedInOf(req) === undefined) return true;
  return (await sessions.get(sessionOf(req).id)) !== undefined;
}

/** Under another id than before: one that somebody else chose is worth nothing. */
export async function beginSession(req: HttpRequest, signedIn: SignedIn): Promise<void> {
  const before = sessionOf(req);
  await promisify(before.regenerate.bind(before))();
  const begun = sessionOf(req);
  begun.signedIn = signedIn;
  await promisify(begun.save.bind(begun))();
}

export async function endSession(req: HttpRequest): Promise<void> {
  const { session: found } = req as HttpRequest & { session?: session.Session };
  if (found) await promisify(found.destroy.bind(found))();
}

/** Takes the cookie from the browser. */
export const NO_COOKIE = `${COOKIE}=; Path=${COOKIE_PATH}; Max-Age=0; HttpOnly; SameSite=Strict`;

/** One that is damaged is none: whoever has it signs in again. */
function sessionIn(text: string): SessionData | null {
  const data = plainJsonIn(text);
  return isJsonObject(data) && isJsonObject(data['cookie']) ? (data as unknown as SessionData) : null;
}

type Callback<T> = (error: unknown, value?: T) => void;

/** The library's way to the store of the fleet. */
class RedisSessions extends Store {
  private readonly untouched = new WeakSet<object>();

  constructor(
    private readonly sessions: PeopleStore['sessions'],
    private readonly idleMs: number,
  ) {
    super();
  }

  override get(id: string, done: Callback<SessionData | null>): void {
    this.sessions.get(id).then((text) => done(null, text === undefined ? null : sessionIn(text)), done);
  }
  override set(id: string, data: SessionData, done?: Callback<never>): void {
    this.settle(this.sessions.put(id, JSON.stringify(data), this.idleMs), done);
  }
  /** The end of this one does not move, although it is used. */
  leaveAsItIs(found: object): void {
    this.untouched.add(found);
  }
  override touch(id: string, data: SessionData, done?: Callback<never>): void {
    const touched = this.untouched.has(data) ? Promise.resolve() : this.sessions.touch(id, this.idleMs);
    this.settle(touched, done);
  }
  override destroy(id: string, done?: Callback<never>): void {
    this.settle(this.sessions.remove(id), done);
  }

  private settle(work: Promise<void>, done: Callback<never> = () => undefined): void {
    work.then(() => done(null), done);
  }
}
