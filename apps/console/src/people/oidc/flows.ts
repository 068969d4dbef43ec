import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { HttpRequest } from '@pushfleet/http-edge';

/** One sign-in on its way over the provider. */
export interface Flow {
  /** Tells that the answer is to what this browser asked. */
  readonly state: string;
  /** Tells that the identity was made out for it. */
  readonly nonce: string;
  /** What the console proves with that the code is its own (PKCE). */
  readonly verifier: string;
}

export interface Flows {
  /** A new one, and the cookie that binds it to the browser. */
  begin(): { readonly flow: Flow; readonly cookie: string };
  /** That of the browser that is answered with the state; undefined when it has begun none, or too long ago. */
  of(req: HttpRequest, state: string): Flow | undefined;
}

const COOKIE = 'pushfleet-oidc';
const ATTRIBUTES = 'Path=/api/v1/session; HttpOnly; SameSite=Strict';
const LIFE_SECONDS = 600;
/** A sibling host of the domain may have planted others before it. */
const TOKENS = new RegExp(`(?<=^|;\\s*)${COOKIE}=((\\d{1,16})\\.[\\w-]{32})(?=;|$)`, 'g');

/** Takes the cookie from the browser: what it bound is used up. */
export const NO_FLOW_COOKIE = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

interface FlowParts {
  readonly secretKey: string;
  readonly now: () => number;
  /** The cookie is for TLS only. */
  readonly isSecure: boolean;
}

/**
 * The three secrets of a flow are made from what the cookie holds and a key of the fleet: nothing is kept anywhere, any console
 * may finish what another one began, and a cookie whose time was changed gives others.
 */
export function openFlows({ secretKey, now, isSecure }: FlowParts): Flows {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(secretKey, 'base64'), '', 'sign-ins elsewhere', 32));
  const part = (name: string, token: string): string =>
    createHmac('sha256', key).update(`${name} ${token}`).digest('base64url');
  const flowOf = (token: string): Flow => ({
    state: part('state', token),
    nonce: part('nonce', token),
    verifier: part('verifier', token),
  });
  return {
    begin() {
      const token = `${now()}.${randomBytes(24).toString('base64url')}`;
      const secure = isSecure ? '; Secure' : '';
      return {
        flow: flowOf(token),
        cookie: `${COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${LIFE_SECONDS}${secure}`,
      };
    },
    of({ headers }, state) {
      const found = Array.from((headers.cookie ?? '').matchAll(TOKENS));
      // The console that began it may have a clock that is ahead.
      const young = found.filter(([, , at]) => Math.abs(now() - Number(at)) < LIFE_SECONDS * 1000);
      return young.map(([, token = '']) => flowOf(token)).find((flow) => flow.state === state);
    },
  };
}
