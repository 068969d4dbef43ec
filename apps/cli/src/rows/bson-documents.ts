import { writeJson } from '@pushfleet/domain';
import { deserialize } from 'bson';
import { plainRow } from './plain-json';
import { damage, MAX_ROW_BYTES, tooLarge, type Row } from './row';

/** MongoDB's own limit is 16 MiB; its tools let a document grow by a little. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 + 16 * 1024;
const MIN_DOCUMENT_BYTES = 5;

export const isDocumentLength = (bytes: number): boolean => bytes >= MIN_DOCUMENT_BYTES && bytes <= MAX_DOCUMENT_BYTES;

/** Documents one after the other, as mongodump writes a collection. */
export async function* bsonDocuments(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let number = 1;
  let rest: Buffer = Buffer.alloc(0);
  /** Of a document that is too large to be kept. */
  let toSkip = 0;
  for await (const chunk of chunks) {
    const skipped = Math.min(toSkip, chunk.length);
    toSkip -= skipped;
    rest = Buffer.concat([rest, chunk.subarray(skipped)]);
    while (rest.length >= 4 && toSkip === 0) {
      const length = rest.readInt32LE(0);
      if (!isDocumentLength(length))
        return yield damage(number, `cannot be a document of ${length} bytes; what follows was not read`);
      if (length > MAX_ROW_BYTES) {
        yield tooLarge(number);
        toSkip = Math.max(0, length - rest.length);
      } else if (rest.length < length) break;
      else yield rowOf(rest.subarray(0, length), number);
      rest = rest.subarray(length);
      number += 1;
    }
  }
  if (rest.length > 0 || toSkip > 0) yield damage(number, 'the file ends in the middle of this document');
}

function rowOf(bytes: Buffer, number: number): Row {
  try {
    return { number, text: writeJson(plainRow(deserialize(bytes))) };
  } catch {
    return { number, error: 'is not BSON' };
  }
}
