import { type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Answer } from './answer';

const JSON_TYPE = 'application/json;charset=utf-8';
const NO_MORE: readonly string[] = [];
const ANY_ORIGIN = ['access-control-allow-origin', '*', 'access-control-expose-headers', 'location, retry-after'];

/** The rest of a refused body up to this size is let in unread, so that the caller gets to read the answer. */
const MAX_IGNORED_BYTES = 1024 * 1024;
/** Smaller bodies gain less than compression costs. */
const MIN_COMPRESSED_BYTES = 1024;

export function send(req: IncomingMessage, res: ServerResponse, answer: Answer): void {
  const encoding = answer.body.length > MIN_COMPRESSED_BYTES ? encodingFor(req.headers['accept-encoding']) : undefined;
  if (encoding) void sendCompressed(req, res, { answer, encoding });
  else write(req, res, { answer, body: answer.body, bytes: Buffer.byteLength(answer.body), more: NO_MORE });
}

const deflate = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const OPTIONS = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, gzip: { level: 4 } };
type Encoding = keyof typeof deflate;

/** Undefined when the caller takes none of ours; a weight of zero refuses. */
function encodingFor(header: string | string[] | undefined): Encoding | undefined {
  const accepted = new Set<string>();
  for (const item of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined;
}

interface Compressed {
  readonly answer: Answer;
  readonly encoding: Encoding;
}

async function sendCompressed(req: IncomingMessage, res: ServerResponse, { answer, encoding }: Compressed) {
  const body = await deflate[encoding](answer.body, OPTIONS[encoding]);
  const more = ['content-encoding', encoding, 'vary', 'accept-encoding'];
  write(req, res, { answer, body, bytes: body.length, more });
}

interface Written {
  readonly answer: Answer;
  readonly body: string | Buffer;
  readonly bytes: number;
  readonly more: readonly string[];
}

function write(req: IncomingMessage, res: ServerResponse, { answer, body, bytes, more }: Written): void {
  const { status, contentType = JSON_TYPE, headers } = answer;
  const lines = ['content-type', contentType, 'content-length', String(bytes), 'cache-control', 'no-cache,no-store'];
  // Browsers alone ask from elsewhere, and they say so.
  if (req.headers.origin !== undefined) lines.push(...ANY_ORIGIN);
  if (more.length > 0) lines.push(...more);
  if (headers) for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  if (!req.complete && isTooMuchToIgnore(req)) lines.push('connection', 'close');
  res.writeHead(status, lines);
  res.end(body);
}

function isTooMuchToIgnore({ headers }: IncomingMessage): boolean {
  const declared = headers['content-length'];
  return declared === undefined ? headers['transfer-encoding'] !== undefined : Number(declared) > MAX_IGNORED_BYTES;
}
