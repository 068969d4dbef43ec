import { randomBytes } from 'node:crypto';
import { jsonAnswer, type HttpRequest } from '@pushfleet/http-edge';
import type { z } from 'zod';
import type { Caller } from '../http/access';
import { act, get, post, remove, type AdminRoute, type Taking } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import { beginSession, endSession, NO_COOKIE } from '../http/session-cookie';
import { NO_FLOW_COOKIE } from '../people/oidc/flows';
import type { Passwords } from '../people/password';
import { signInSchema } from '../people/person-input';
import { isFromHere, openSignIn, type SignInResult } from '../people/sign-in';
import type { ConsolePorts } from '../ports';

/** Who comes and goes is in the log; the audit log tells what they changed. */
const UNAUDITED: Taking = { audited: false };
type Typed = z.output<typeof signInSchema>;

const LINK_LIFE_MS = 10 * 60_000;

/** Signing in and out, and who one is. */
export function sessionRoutes(ports: ConsolePorts, passwords: Passwords): readonly AdminRoute[] {
  const { sessions } = ports.store.people;
  const signIn = openSignIn(ports, passwords);
  const judge = (req: HttpRequest, typed: Typed): Promise<SignInResult> => {
    if ('oidc' in typed) return signIn.withAnswer(req, typed.oidc);
    return 'link' in typed ? signIn.withLink(req, typed.link) : signIn.withPassword(req, typed);
  };
  return [
    post(
      '/session',
      async ({ req, body }) => {
        const typed = parse(signInSchema, body);
        const { caller, signedIn } = await judge(req, typed);
        await beginSession(req, signedIn);
        return jsonAnswer(200, callerView(ports, caller), 'oidc' in typed ? { 'set-cookie': NO_FLOW_COOKIE } : {});
      },
      UNAUDITED,
    ),

    get('/session/ways', () => Promise.resolve(jsonAnswer(200, { oidc: ports.oidc?.state() ?? 'off' }))),

    act(
      '/session/oidc',
      async () => {
        if (!ports.oidc) throw new Problem('conflict', 'people sign in here with passwords only');
        const { url, cookie } = await ports.oidc.begin();
        return jsonAnswer(200, { url }, { 'set-cookie': cookie });
      },
      UNAUDITED,
    ),

    get('/session', ({ caller }) => Promise.resolve(jsonAnswer(200, callerView(ports, caller)))),

    remove(
      '/session',
      async ({ req }) => {
        await endSession(req);
        return jsonAnswer(200, {}, { 'set-cookie': NO_COOKIE });
      },
      UNAUDITED,
    ),

    act('/session/links', async ({ req }) => {
      if (!ports.sessions.hasLinks) throw new Problem('conflict', 'links that sign in are for the demo: SIGN_IN_LINKS');
      if (!isFromHere(req, ports)) throw new Problem('forbidden', 'links are for this machine only');
      const token = randomBytes(24).toString('base64url');
      await sessions.addLink(token, LINK_LIFE_MS);
      const expiresAt = new Date(ports.now() + LINK_LIFE_MS).toISOString();
      return jsonAnswer(201, { path: `/sign-in#link=${token}`, expiresAt });
    }),
  ];
}

const callerView = (
  { ingressUrl }: Pick<ConsolePorts, 'ingressUrl'>,
  { by, person, subject, role, apps }: Caller,
): object => ({
  by,
  ...(person && { person }),
  ...(subject && { subject }),
  role,
  apps,
  ...(ingressUrl && { ingressUrl }),
});
