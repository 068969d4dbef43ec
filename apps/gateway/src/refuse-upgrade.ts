import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers an upgrade that the WebSocket library cannot make, as every error of the service is: in JSON. */
export function refuseUpgrade(error: Error, socket: Duplex, { method }: IncomingMessage): void {
  const status = method === 'GET' ? 400 : 405;
  // RFC 6455, section 4.4: the versions that are spoken; RFC 9110, section 15.5.6: the methods.
  const told = status === 400 ? 'sec-websocket-version: 13' : 'allow: GET';
  const body = JSON.stringify({ code: status, error: `${error.message}.` });
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json;charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      told,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
