import { createServer, type RequestListener, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { PROBLEMS, type Problem } from './problem';

/** Longer than the idle time of common load balancers, so that it is they who close idle connections. */
const KEEP_ALIVE_MS = 75_000;

const OPTIONS = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 10_000, requestTimeout: 30_000 };

export function openServer(app: RequestListener): Server {
  const server = createServer(OPTIONS, app);
  server.on('clientError', answerUnreadable);
  return server;
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, problem: Problem, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'too-large', 'the headers or the address are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'malformed-url', 'the request did not arrive in time'],
};

/** What the HTTP parser refuses never becomes a request; even so the answer is JSON. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, problem, message] = UNREADABLE[error.code ?? ''] ?? [
    '400 Bad Request',
    'malformed-url',
    'the request is not well-formed HTTP',
  ];
  const body = JSON.stringify({ code: PROBLEMS[problem].code, error: message });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json;charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `cache-control: no-cache,no-store\r\nconnection: close\r\n\r\n${body}`,
  );
}
