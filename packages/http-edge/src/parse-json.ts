import { isUtf8 } from 'node:buffer';
import { InvalidInput, readJson, type Json } from '@pushfleet/domain';

export const malformedJson = (): InvalidInput => new InvalidInput('malformed-json', 'the body is not valid JSON');

/** A body in GBK, read as UTF-8, would be shown as garbage on every device. */
export function utf8Of(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new InvalidInput('malformed-json', 'the body is not valid UTF-8');
  return bytes.toString('utf8');
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A body without the mark that some editors and platforms begin a text with (RFC 8259, 8.1). */
export const withoutMark = (body: Buffer): Buffer =>
  body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? body.subarray(BYTE_ORDER_MARK.length) : body;

/** What a body says, or a piece of one. */
export function parseJson(text: string): Json {
  try {
    return readJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw malformedJson();
    throw cause;
  }
}
