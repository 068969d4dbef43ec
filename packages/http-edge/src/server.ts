import { openHttpServer, type HttpServer, type HttpServerOptions } from '@pushfleet/service-kit';
import { type RequestListener } from 'node:http';
import { type Dialect } from './dialect';
import { type EdgeMetrics } from './metrics';
import { answerUnreadable } from './unreadable';

export interface EdgeServerOptions extends Pick<HttpServerOptions, 'limits' | 'more' | 'certificate'> {
  readonly dialect: Dialect;
  readonly metrics: EdgeMetrics;
}

/** Listens for a service; what cannot be read as HTTP is answered in its dialect, too. */
export function openEdgeServer(options: EdgeServerOptions, listener: RequestListener): HttpServer {
  const { limits, more, certificate, dialect, metrics } = options;
  const server = openHttpServer(
    { limits, more, certificate, onRefused: (shortage) => metrics.refused(shortage) },
    listener,
  );
  answerUnreadable(server, dialect, metrics);
  // Whoever asks before sending a body is answered when it is known who that is; until then the connection is busy, too.
  const request: RequestListener = (req, res) => void server.emit('request', req, res);
  server.on('checkContinue', request);
  server.on('checkExpectation', request);
  return server;
}
