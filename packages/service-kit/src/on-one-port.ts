import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { type HttpServer } from './http-server';
import { type Listen, type Listening } from './listen';

/** The variables of two ports that are one. */
export interface OnePort {
  /** Of the server that listens, and answers requests. */
  readonly requests: string;
  /** Of the server that gets the WebSockets. */
  readonly webSockets: string;
}

interface Opened {
  readonly server: HttpServer;
  readonly listening: Listening;
}

/** Two servers on the port of one: the other never listens, and is handed the WebSockets. Other servers listen as they would. */
export function onOnePort({ requests, webSockets }: OnePort, listen: Listen): Listen<HttpServer> {
  let opened: (first: Opened) => void;
  const first = new Promise<Opened>((resolve) => (opened = resolve));
  return async (server, options) => {
    if (options.variable === webSockets) {
      const { server: front, listening } = await first;
      handOver(front, server);
      return listening;
    }
    const listening = await listen(server, options);
    if (options.variable === requests) opened({ server, listening });
    return listening;
  };
}

function handOver(from: HttpServer, to: HttpServer): void {
  from.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    // The answer that is under way would go into the midst of what follows.
    if (from.guard.isAnswering(socket)) return void socket.destroy();
    if (!isWebSocket(req)) return handBack(from, req, { socket, head });
    from.guard.letGo(socket);
    to.emit('upgrade', req, socket, head);
  });
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Some HTTP clients offer HTTP/2 with every request, as Java's does (`Upgrade: h2c`): it is answered as if it did not, as a server
 * does that knows no upgrade at all.
 */
function handBack(
  server: HttpServer,
  req: IncomingMessage,
  rest: { readonly socket: Socket; readonly head: Buffer },
): void {
  const { method, url, httpVersion, rawHeaders } = req;
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || name.toLowerCase() === 'upgrade' ? [] : [`${name}: ${rawHeaders[at + 1]}\r\n`],
  );
  const begin = Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`, 'latin1');
  rest.socket.unshift(Buffer.concat([begin, rest.head]));
  // Behind TLS, that is the event of HTTP.
  server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', rest.socket);
}
