import { isUtf8 } from 'node:buffer';
import { InvalidInput, readJson, type Json } from '@pushfleet/domain';

export const malformedJson = (): InvalidInput => new InvalidInput('malformed-json', 'the body is not valid JSON');

/** A body in GBK, read as UTF-8, would be shown as garbage on every device. */
export function utf8Of(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new InvalidInput('malformed-json', 'the body is not valid UTF-8');
  return bytes.toString('utf8');
}

/** What a body says, or a piece of one. */
export function parseJson(text: string): Json {
  try {
    return readJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw malformedJson();
    throw cause;
  }
}
