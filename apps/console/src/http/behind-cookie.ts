import type { RequestListener } from 'node:http';
import type { Edge } from '@pushfleet/http-edge';
import type { ConsolePorts } from '../ports';
import { API } from './admin-route';
import { openSessionCookie, routedPathOf, type SessionCookie } from './session-cookie';

type Ports = Pick<ConsolePorts, 'sessions' | 'proxyHops' | 'log'> & {
  readonly store: Pick<ConsolePorts['store'], 'people'>;
};

/** Reads the session before a request is routed; a request with a token of its own has none, unless it signs in. */
export function behindCookie(ports: Ports, edge: Edge, listener: RequestListener): RequestListener {
  const { idleMs, secretKeys } = ports.sessions;
  const isBehindProxy = ports.proxyHops > 0;
  const cookie = openSessionCookie({ sessions: ports.store.people.sessions, idleMs, secretKeys, isBehindProxy });
  return (req, res) => {
    const path = routedPathOf(req);
    const isSigningIn = req.method === 'POST' && path === `${API}/session`;
    if (!isSigningIn && (req.headers.authorization !== undefined || !path.startsWith(`${API}/`)))
      return listener(req, res);
    void cookie(req as Parameters<SessionCookie>[0], res as Parameters<SessionCookie>[1], (error: unknown) => {
      if (error === undefined || error === null) return listener(req, res);
      // The session could not be written behind an answer that is on its way.
      if (res.headersSent) return ports.log.warn({ err: error }, 'a session was not kept');
      edge.fail(error, req, res);
    });
  };
}
