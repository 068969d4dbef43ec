import { openHttpServer, type HttpServer, type HttpServerOptions } from '@pushfleet/service-kit';
import { type IncomingMessage, type RequestListener } from 'node:http';
import { type Dialect } from './dialect';
import { type EdgeMetrics } from './metrics';
import { answerUnreadable } from './unreadable';

export interface EdgeServerOptions extends Pick<HttpServerOptions, 'limits' | 'more' | 'certificate'> {
  readonly dialect: Dialect;
  readonly metrics: EdgeMetrics;
}

/** Listens for a service; what cannot be read as HTTP is answered in its dialect, too. */
export function openEdgeServer(options: EdgeServerOptions, listener: RequestListener): HttpServer {
  const { limits, certificate, dialect, metrics } = options;
  const { requireHostHeader = true, ...more } = options.more ?? {};
  const server: HttpServer = openHttpServer(
    // Node's own refusal of a request without Host has no body.
    {
      limits,
      certificate,
      more: { ...more, requireHostHeader: false },
      onRefused: (shortage) => metrics.refused(shortage),
    },
    (req, res) => {
      const hosts = hostLinesOf(req);
      if (hosts > 1 || (hosts === 0 && requireHostHeader && asksForHost(req)))
        server.emit('clientError', new Error(`${hosts} Host lines`), req.socket);
      else listener(req, res);
    },
  );
  answerUnreadable(server, dialect, metrics);
  // Whoever asks before sending a body is answered when it is known who that is; until then the connection is busy, too.
  const request: RequestListener = (req, res) => void server.emit('request', req, res);
  server.on('checkContinue', request);
  server.on('checkExpectation', request);
  return server;
}

/** RFC 9112, section 3.2: what HTTP/1.1 asks of a request, and 1.0 did not. */
const asksForHost = ({ httpVersion }: IncomingMessage): boolean => httpVersion === '1.1';

/** Of several, Node keeps the first, and a proxy in front may have gone by another. */
function hostLinesOf({ rawHeaders }: IncomingMessage): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) lines += 1;
  }
  return lines;
}

const HOST = 'host';
