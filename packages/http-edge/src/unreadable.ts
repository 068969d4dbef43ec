import { STATUS_CODES, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { type Diagnosis, type Dialect } from './dialect';
import { type EdgeMetrics } from './metrics';

const DIAGNOSES: Readonly<Record<string, Diagnosis>> = {
  HPE_HEADER_OVERFLOW: { problem: 'headers-too-large', message: 'the headers or the address are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { problem: 'too-slow', message: 'the request did not arrive in time' },
};
const OTHER: Diagnosis = { problem: 'malformed-http', message: 'the request is not well-formed HTTP' };

/** How long a caller has to read an answer and to close: until then the socket stays open even when it does neither. */
const LINGER_MS = 1000;

/** What the HTTP parser refuses never becomes a request; even so it is answered in the service's own words. */
export function answerUnreadable(server: Server, dialect: Dialect, metrics: EdgeMetrics): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isOfTls(error)) return void socket.destroy();
    const diagnosis = DIAGNOSES[error.code ?? ''] ?? OTHER;
    metrics.refused(diagnosis.problem);
    socket.end(textOf(dialect, diagnosis));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

/** Nothing can be told to whoever speaks no TLS, or not ours. */
const isOfTls = ({ code = '' }: NodeJS.ErrnoException): boolean => /^ERR_(SSL|TLS)_/.test(code);

function textOf(dialect: Dialect, diagnosis: Diagnosis): string {
  const { status, body } = dialect.answer(diagnosis);
  const always = dialect.headers.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json;charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date().toUTCString()}`,
    ...always,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
