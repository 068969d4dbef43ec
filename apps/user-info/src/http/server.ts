import { DEFAULT_HTTP_LIMITS, openHttpServer, type HttpLimits } from '@pushfleet/service-kit';
import { type RequestListener, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { problemAnswer } from './answer';
import { Refusal } from './problem';

const OPTIONS = {
  requestTimeout: 30_000,
  // Of two Authorization headers none may win unseen: joined, they are malformed.
  joinDuplicateHeaders: true,
  // Nothing is taken from it, and Node's own refusal has no body.
  requireHostHeader: false,
};

/** How long a caller has to read the answer to what is no request. */
const LINGER_MS = 1000;

/** A refused connection is closed without an answer. */
const onRefused = (): void => undefined;

export function openServer(app: RequestListener, limits: HttpLimits = DEFAULT_HTTP_LIMITS): Server {
  const server = openHttpServer({ limits, onRefused, more: OPTIONS }, app);
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', app);
  return server;
}

/** What the HTTP parser refuses never becomes a request; even so the answer is JSON. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const message = isTooLong ? 'the headers or the address are too long' : 'the request is not well-formed HTTP';
  const { body } = problemAnswer(new Refusal('invalid_request', message), Date.now());
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json;charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ndate: ${new Date().toUTCString()}\r\n` +
      `cache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  );
  // Its sender may never close: half a request would stay open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
