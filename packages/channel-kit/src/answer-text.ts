import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';

type Decode = (body: Buffer, options: ZlibOptions) => Buffer;

/** Codings that a server may choose for whoever names none (RFC 9110, 12.5.3), and whatever stands in between. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Leaves a byte order mark out. */
const UTF8 = new TextDecoder();

/** What an answer says, without a byte order mark. A body that is not in the coding it names, or too long, stays as it came. */
export function answerText(body: Buffer, coding: string | string[] | undefined, maxBytes: number): string {
  const decode = DECODERS.get(String(coding).trim().toLowerCase());
  return UTF8.decode(decode ? decoded(body, decode, maxBytes) : body);
}

function decoded(body: Buffer, decode: Decode, maxBytes: number): Buffer {
  try {
    return decode(body, { maxOutputLength: maxBytes });
  } catch {
    return body;
  }
}
