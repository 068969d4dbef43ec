import { type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedBy } from './accepted';
import { type Answer } from './answer';
import { FREE_BYTES } from './body-memory';
import { type BodyPace } from './body-pace';
import { type Dialect } from './dialect';
import { endOf, handOver } from './hand-over';

const JSON_TYPE = 'application/json;charset=utf-8';
const NO_MORE: readonly string[] = [];

/** The rest of a refused body up to this size is let in unread, so that the caller gets to read the answer. */
const MAX_IGNORED_BYTES = 1024 * 1024;
/** Smaller bodies gain less than compression costs. */
const MIN_COMPRESSED_BYTES = 1024;

export interface Sent {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly dialect: Dialect;
  readonly pace: BodyPace;
  /** Called when the caller takes the answer too slowly. */
  readonly cutOff: (reason: unknown) => void;
}

/** Sends an answer, or the head of one that has a rest. */
export function send(to: Sent, answer: Answer): void {
  const { body } = answer;
  if (answer.rest) return begin(to, answer);
  const isWorthIt = body.length > MIN_COMPRESSED_BYTES && to.dialect.isPlain !== true;
  const encoding = isWorthIt ? encodingFor(to.req.headers['accept-encoding']) : undefined;
  const sent = encoding ? sendCompressed(to, answer, encoding) : sendPlain(to, answer);
  sent?.catch(to.cutOff);
}

const deflate = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const OPTIONS = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, gzip: { level: 4 } };
type Encoding = keyof typeof deflate;
type Form = Encoding | 'plain';

/** Undefined when the caller takes none of ours. */
function encodingFor(header: string | string[] | undefined): Encoding | undefined {
  const accepted = acceptedBy(header);
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined;
}

function sendPlain(to: Sent, answer: Answer): Promise<void> | undefined {
  const { body } = answer;
  if (body.length <= FREE_BYTES) return write(to, { answer, body, bytes: Buffer.byteLength(body), more: NO_MORE });
  return sendForm(to, { answer, form: 'plain', more: NO_MORE });
}

const sendCompressed = (to: Sent, answer: Answer, encoding: Encoding): Promise<void> =>
  sendForm(to, { answer, form: encoding, more: ['content-encoding', encoding, 'vary', 'accept-encoding'] });

async function sendForm(
  to: Sent,
  { answer, form, more }: { readonly answer: Answer; readonly form: Form; readonly more: readonly string[] },
): Promise<void> {
  const body = await (answer.isConstant ? keptOf(answer, form) : formOf(answer, form));
  await write(to, { answer, body, bytes: body.length, more });
}

const formOf = async ({ body }: Answer, form: Form): Promise<Buffer> =>
  form === 'plain' ? Buffer.from(body) : deflate[form](body, OPTIONS[form]);

const kept = new WeakMap<Answer, Map<Form, Promise<Buffer>>>();

function keptOf(answer: Answer, form: Form): Promise<Buffer> {
  const forms = kept.get(answer) ?? new Map<Form, Promise<Buffer>>();
  kept.set(answer, forms);
  const made = forms.get(form) ?? formOf(answer, form);
  forms.set(form, made);
  return made;
}

interface Written {
  readonly answer: Answer;
  readonly body: string | Buffer;
  readonly bytes: number;
  readonly more: readonly string[];
}

/** The body comes in chunks, because nobody knows how long it will be. */
function begin(to: Sent, answer: Answer): void {
  writeHead(to, answer, NO_MORE);
  to.res.flushHeaders();
}

function write(to: Sent, { answer, body, bytes, more }: Written): Promise<void> | undefined {
  writeHead(to, answer, ['content-length', String(bytes), ...more]);
  if (typeof body === 'string') return endOf(to, body);
  return handOver(to, body).then(() => endOf(to));
}

function writeHead({ req, res, dialect }: Sent, answer: Answer, more: readonly string[]): void {
  const { status, contentType = JSON_TYPE, headers } = answer;
  const lines = ['content-type', contentType, ...usualHeaders(dialect, headers)];
  // Browsers alone ask from elsewhere, and they say so.
  if (dialect.originHeaders && req.headers.origin !== undefined) lines.push(...dialect.originHeaders);
  if (more.length > 0) lines.push(...more);
  if (headers) for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  if (!req.complete && (req.isPaused() || isTooMuchToIgnore(req))) lines.push('connection', 'close');
  res.writeHead(status, lines);
}

/** An answer may say for itself how long it is kept. */
function usualHeaders({ headers: usual }: Dialect, headers: Answer['headers']): readonly string[] {
  if (headers?.['cache-control'] === undefined) return usual;
  return usual.filter((_, at) => usual[at - (at % 2)] !== 'cache-control');
}

function isTooMuchToIgnore({ headers }: IncomingMessage): boolean {
  const declared = headers['content-length'];
  return declared === undefined ? headers['transfer-encoding'] !== undefined : Number(declared) > MAX_IGNORED_BYTES;
}
