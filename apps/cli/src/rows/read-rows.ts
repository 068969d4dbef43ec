import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fileError, systemCode, UsageError } from '../errors';
import { refuseUtf16 } from '../refuse-utf16';
import { bsonDocuments, isDocumentLength } from './bson-documents';
import { jsonArray } from './json-array';
import { jsonLines } from './json-lines';
import { damage, type Row } from './row';

export const FORMATS = ['json', 'jsonl', 'bson'] as const;
export type Format = (typeof FORMATS)[number];

export interface RowSource {
  /** What messages call it by. */
  readonly path: string;
  /** Read instead of the file there. */
  readonly input?: AsyncIterable<Buffer> | undefined;
  /** Seen from the content when it is not given. */
  readonly format?: Format | undefined;
  /** Bytes of the file whose rows were handed out, as they are. */
  readonly onRead: (bytes: number) => void;
}

const READERS: Readonly<Record<Format, (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Row>>> = {
  json: jsonArray,
  jsonl: jsonLines,
  bson: bsonDocuments,
};

const CHUNK_BYTES = 256 * 1024;

/** The rows of an export, gzipped or not, read as they are asked for and never held together. */
export async function* readRows({ path, input, format, onRead }: RowSource): AsyncGenerator<Row> {
  let number = 0;
  try {
    const chunks = await unzipped(told(input ?? fileChunks(path)), onRead);
    const { head, all } = await peek(chunks);
    if (head.length === 0) throw new UsageError(`${path}: is empty`);
    for await (const row of READERS[format ?? formatOf(head, path)](all)) {
      number = row.number;
      yield row;
    }
  } catch (error) {
    const broken = damageOf(error);
    if (broken !== undefined) yield damage(number + 1, broken);
    else if (systemCode(error) === undefined) throw error;
    else throw fileError(path, 'read', error);
  }
}

const fileChunks = (path: string): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: CHUNK_BYTES });

async function unzipped(chunks: AsyncGenerator<Buffer>, onRead: RowSource['onRead']): Promise<AsyncGenerator<Buffer>> {
  const { head, all } = await peek(chunks);
  let read = 0;
  if (head[0] !== 0x1f || head[1] !== 0x8b) return told(all, ({ length }) => onRead(length));
  // The error is thrown to whoever reads.
  const gunzip = pipeline(Readable.from(all), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  // A small file is read at once, and long unpacked: only the decoder knows how far it is.
  return told(gunzip[Symbol.asyncIterator]() as AsyncGenerator<Buffer>, () => {
    onRead(gunzip.bytesWritten - read);
    read = gunzip.bytesWritten;
  });
}

async function* told(chunks: AsyncIterable<Buffer>, onChunk?: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onChunk?.(chunk);
    yield chunk;
  }
}

/** Enough to see what a file is: a pipe may bring it byte by byte. */
const HEAD_BYTES = 200;

/** The first bytes of a stream, and the whole of it. What fails behind them fails when it is read. */
async function peek(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ readonly head: Buffer; readonly all: AsyncGenerator<Buffer> }> {
  let head: Buffer = Buffer.alloc(0);
  let failure: { readonly error: unknown } | undefined;
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
      if (head.length >= HEAD_BYTES) break;
    }
  } catch (error) {
    if (head.length === 0) throw error;
    failure = { error };
  }
  const all = async function* () {
    yield head;
    if (failure) throw failure.error;
    yield* chunks;
  };
  return { head, all: all() };
}

/** What zlib says of a file that was cut off or changed. */
function damageOf(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code === 'Z_BUF_ERROR') return 'the gzip data ends in the middle: the file is cut off here';
  return code?.startsWith('Z_') === true ? 'the gzip data is damaged here; what follows was not read' : undefined;
}

/** Of the first four bytes, as a number. */
const OTHER_FORMATS: ReadonlyMap<number, string> = new Map([
  [0x04034b50, 'is a zip archive: unpack it first'],
  [0x8199e26d, 'is an archive of mongodump: dump with --out instead of --archive'],
]);

function formatOf(head: Buffer, path: string): Format {
  const magic = head.length < 4 ? 0 : head.readUInt32LE(0);
  const other = OTHER_FORMATS.get(magic);
  if (other !== undefined) throw new UsageError(`${path}: ${other}`);
  refuseUtf16(head, path);
  // No JSON has a zero byte; the highest byte of a document's length always is one.
  if (head.length >= 5 && head[3] === 0 && isDocumentLength(magic)) return 'bson';
  const text = head
    .subarray(0, HEAD_BYTES)
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('[') || /^\{\s*"results"\s*:\s*\[/.test(text)) return 'json';
  if (text.startsWith('{') || text.startsWith('#')) return 'jsonl';
  throw new UsageError(`${path}: is neither a JSON array nor JSON lines nor BSON; --format takes it for one of them`);
}
