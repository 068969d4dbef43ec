import { type Diagnosis } from '../dialect';

/** A right request of somebody who is known, as the service under attack wants it; a fresh one at each call. */
export interface RightRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Requests {
  /** Answered with 200, without a body. */
  read(): RightRequest;
  /** Takes a JSON body; absent where the service takes none. */
  readonly write?: () => RightRequest;
}

export interface HostileRequest {
  readonly what: string;
  /** What arrives at first. */
  readonly text: (requests: Requests) => string;
  /** What then arrives again and again, little by little. */
  readonly drip?: string;
  /** What it is refused as; absent where the answer is the usual one. */
  readonly problem?: Diagnosis['problem'];
  /** It needs an operation that takes a body. */
  readonly isWrite?: true;
  /** The connection is ended, although its sender never ends it. */
  readonly isEnded: boolean;
}

type Lines = Readonly<Record<string, string>>;

function headOf({ method, path, headers }: RightRequest, more: Lines = {}): string {
  const lines = Object.entries({ host: 'x', ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const writing = ({ write, read }: Requests): RightRequest => (write ?? read)();
const withBody = (requests: Requests, body: string, more: Lines = {}): string =>
  headOf(writing(requests), { 'content-length': String(body.length), ...more }) + body;

const LONG = 'x'.repeat(20_000);
const DEEP = `{"deep":${'['.repeat(5000)}${']'.repeat(5000)}}`;

/** What every service has to stand, whatever it is about. */
export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  ...[
    { what: 'half a head', text: () => 'GET /half HTTP/1.1\r\nHo' },
    { what: 'a head that drips', text: () => 'GET /drip HTTP/1.1\r\n', drip: 'X: y\r\n' },
  ].map((slow) => ({ ...slow, problem: 'too-slow', isEnded: true })),
  ...[
    { what: 'a header without end', text: () => `GET / HTTP/1.1\r\nHost: x\r\nX: ${LONG}\r\n\r\n` },
    { what: 'an address without end', text: () => `GET /${LONG} HTTP/1.1\r\nHost: x\r\n\r\n` },
  ].map((long) => ({ ...long, problem: 'headers-too-large', isEnded: true })),
  ...[
    { what: 'no HTTP', text: () => 'nonsense\r\n\r\n' },
    { what: 'two hosts', text: () => 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n' },
    {
      what: 'a body of two lengths',
      text: () => 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    },
    {
      what: 'a length beside chunks',
      text: () => 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    },
  ].map((broken) => ({ ...broken, problem: 'malformed-http', isEnded: true })),
  {
    what: 'a method that no address takes',
    text: (requests) => headOf({ ...requests.read(), method: 'PATCH' }),
    ...{ problem: 'method-unknown', isEnded: false },
  },
  {
    what: 'an address that nothing has',
    text: (requests) => headOf({ ...requests.read(), path: '/nothing/at/all' }),
    ...{ problem: 'route-unknown', isEnded: false },
  },
  {
    what: 'a body that drips',
    text: (requests) => headOf(writing(requests), { 'content-length': '30000' }),
    ...{ drip: 'x', isWrite: true, problem: 'too-slow', isEnded: true },
  },
  {
    what: 'a body that nobody asked for, and that drips',
    text: (requests) => headOf(requests.read(), { 'content-length': '30000' }),
    ...{ drip: 'x', isEnded: true },
  },
  {
    what: 'a body of a gigabyte',
    text: (requests) => headOf(writing(requests), { 'content-length': String(2 ** 30) }),
    ...{ isWrite: true, problem: 'too-large', isEnded: true },
  },
  {
    what: 'a body that nests five thousand levels',
    text: (requests) => withBody(requests, DEEP),
    ...{ isWrite: true, problem: 'malformed-json', isEnded: false },
  },
  {
    what: 'a body of an unknown coding',
    text: (requests) => withBody(requests, '{}', { 'content-encoding': 'br' }),
    ...{ isWrite: true, problem: 'unsupported-encoding', isEnded: false },
  },
  {
    what: 'a body that is not compressed as it says',
    text: (requests) => withBody(requests, '{}', { 'content-encoding': 'gzip' }),
    ...{ isWrite: true, problem: 'malformed-json', isEnded: false },
  },
];

/** The same request of somebody who is not known, with a body that never comes. */
export function strangersRequest(requests: Requests, more: Lines = {}): string {
  const { method, path, headers } = writing(requests);
  const { 'content-type': type = 'application/json' } = headers;
  return headOf({ method, path, headers: { 'content-type': type } }, { 'content-length': '30000', ...more });
}

export const rightRequest = (requests: Requests): string => headOf(requests.read());
