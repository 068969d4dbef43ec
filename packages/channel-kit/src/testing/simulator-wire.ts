import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Strike } from './fault-book';
import { isVendorFault } from './fault-kinds';
import type { ChannelSimulator, SimulatorAnswer, SimulatorRequest } from './simulator';

/** What leaves the server, and how. */
export interface Reply {
  /** `undefined`: the connection is torn instead. */
  readonly answer: SimulatorAnswer | undefined;
  readonly delayMs: number;
  readonly wire?: 'drip' | 'huge' | 'truncated' | undefined;
  /** Of `drip`: between two bytes. */
  readonly paceMs?: number | undefined;
}

const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** More than any client should read of an answer. */
const HUGE_BYTES = 5 * 1024 * 1024;

/** One call to a vendor under what befalls it. */
export function answerUnder(strike: Strike, simulator: ChannelSimulator, request: SimulatorRequest): Reply {
  const { kind, delayMs, paceMs, answer: canned } = strike;
  if (canned !== undefined) return { delayMs, answer: { contentType: 'application/json; charset=utf-8', ...canned } };
  if (kind === 'reset') return { delayMs, answer: undefined };
  if (kind === 'retry-after') return { delayMs, answer: comeBackAfter(paceMs ?? 0) };
  if (kind !== undefined && isVendorFault(kind)) return { delayMs, answer: simulator.misbehave(kind, request) };
  return { delayMs, answer: simulator.answer(request), wire: kind, paceMs };
}

const comeBackAfter = (ms: number): SimulatorAnswer => ({
  status: 503,
  contentType: 'text/plain',
  body: 'Service Unavailable',
  headers: { 'retry-after': String(Math.ceil(ms / 1_000)) },
});

/** `undefined` when the body is too large. */
export async function readSimulatorRequest(req: IncomingMessage): Promise<SimulatorRequest | undefined> {
  const body = await readBody(req);
  if (body === undefined) return undefined;
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  const headers: Record<string, string | undefined> = {};
  for (const name in req.headers) headers[name] = String(req.headers[name]);
  return {
    method: req.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers,
    body,
  };
}

function readBody(req: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_REQUEST_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    req.on('end', () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString()));
    req.on('error', reject);
  });
}

/** Sends a reply as it is meant to arrive, or not to arrive. */
export function sendReply(res: ServerResponse, reply: Reply): void {
  const { answer, delayMs } = reply;
  const run = (): void => {
    if (answer === undefined) res.socket?.destroy();
    else WAYS[reply.wire ?? 'whole'](res, answer, reply);
  };
  if (delayMs <= 0) run();
  else untilClosed(res, setTimeout(run, delayMs));
}

/** A client that gave up leaves no timer behind. */
function untilClosed(res: ServerResponse, timer: NodeJS.Timeout): void {
  res.once('close', () => clearTimeout(timer));
}

type Way = (res: ServerResponse, answer: SimulatorAnswer, reply: Reply) => void;

const headersOf = ({ contentType, headers }: SimulatorAnswer): Record<string, string> => ({
  'content-type': contentType,
  ...headers,
});

function head(res: ServerResponse, answer: SimulatorAnswer): Buffer {
  const body = Buffer.from(answer.body);
  res.writeHead(answer.status, { ...headersOf(answer), 'content-length': body.length });
  return body;
}

const WAYS: Readonly<Record<'whole' | NonNullable<Reply['wire']>, Way>> = {
  whole: (res, answer) => void res.end(head(res, answer)),
  drip(res, answer, { paceMs = 0 }) {
    const body = head(res, answer);
    res.flushHeaders();
    let at = 0;
    const timer = setInterval(() => {
      if (at < body.length) res.write(body.subarray(at, (at += 1)));
      else res.end();
    }, paceMs);
    untilClosed(res, timer);
  },
  /** JSON may end in any number of blanks: the answer is right, and only too long. */
  huge(res, answer) {
    res.writeHead(answer.status, headersOf(answer));
    res.write(answer.body);
    res.end(Buffer.alloc(HUGE_BYTES, ' '));
  },
  truncated(res, answer) {
    const body = head(res, answer);
    res.write(body.subarray(0, Math.ceil(body.length / 2)), () => res.socket?.destroy());
  },
};
