import { UsageError } from './errors';

/** How JSON begins in it, in either order of bytes, with its mark or without. No BSON begins so: it would be far too large. */
const UTF16 = /^(?:fffe|[57]b00)(?!0[0-8])..00|^feff00(?!00)/;

/** Some programs write it unasked. */
export function refuseUtf16(head: Buffer, path: string): void {
  if (UTF16.test(head.toString('hex', 0, 4))) throw new UsageError(`${path}: is UTF-16: save it as UTF-8 first`);
}
