import { createServer as createTlsServer } from 'node:https';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { type z } from 'zod';
import { type ServerCertificate } from './tls/server-certificate';
import { type edgeConfig } from './config-parts';
import { guardConnections, type ConnectionGuard, type ConnectionShortage } from './guard-connections';
import { hearInTurn } from './hear-in-turn';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http-limits';

export interface HttpServerOptions {
  readonly limits: HttpLimits;
  readonly onRefused: (shortage: ConnectionShortage) => void;
  /** Absent: it speaks no TLS. */
  readonly certificate?: ServerCertificate | undefined;
  /** What differs from Node's defaults beside the limits. */
  readonly more?: Pick<ServerOptions, 'joinDuplicateHeaders' | 'requireHostHeader' | 'requestTimeout'> | undefined;
}

export type EdgeConfig = z.output<z.ZodObject<typeof edgeConfig>>;

/** Behind proxies an address is theirs, and says nothing about who calls. */
export function httpLimitsOf(config: EdgeConfig): HttpLimits {
  return {
    requestsInLine: DEFAULT_HTTP_LIMITS.requestsInLine,
    connections: config.HTTP_CONNECTIONS,
    connectionsPerAddress: config.TRUSTED_PROXY_HOPS > 0 ? 0 : config.HTTP_CONNECTIONS_PER_ADDRESS,
    headersTimeoutMs: config.HTTP_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: config.HTTP_IDLE_TIMEOUT_MS,
  };
}

/** A server with limits. */
export interface HttpServer extends Server {
  readonly guard: ConnectionGuard;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CHECKING_INTERVAL_MS = 1000;

/** A server that holds little for callers whom it does not know yet. */
export function openHttpServer(
  { limits, onRefused, more, certificate }: HttpServerOptions,
  listener: RequestListener,
): HttpServer {
  const { headersTimeoutMs, idleTimeoutMs } = limits;
  const hear = hearInTurn(listener);
  const server = createFor(
    certificate,
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: idleTimeoutMs,
      headersTimeout: headersTimeoutMs,
      // Node looks for late headers only so often, by default every 30 seconds.
      connectionsCheckingInterval: Math.min(MAX_CHECKING_INTERVAL_MS, Math.ceil(headersTimeoutMs / 4)),
      // A body is judged by its pace where the edge reads it; others say how long a request may take.
      requestTimeout: 0,
      ...more,
    },
    (req, res) => {
      // What was parsed together is heard to its end, also when the connection was cut off meanwhile.
      if (req.socket.destroyed) return;
      if (guard.inLine(req.socket) < limits.requestsInLine) return hear(req, res);
      onRefused('requests-in-line');
      req.socket.destroy();
    },
  );
  const guard = guardConnections(server, limits, onRefused);
  return Object.assign(server, { guard });
}

function createFor(
  certificate: ServerCertificate | undefined,
  options: ServerOptions & Pick<Required<ServerOptions>, 'headersTimeout'>,
  listener: RequestListener,
): Server {
  if (!certificate) return createServer(options, listener);
  const { pair } = certificate;
  const server = createTlsServer({ ...options, ...pair, handshakeTimeout: options.headersTimeout }, listener);
  certificate.follow(server);
  // It has all that `node:http` gives a server; the types say so of each alone.
  return server as unknown as Server;
}
