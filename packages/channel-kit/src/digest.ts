import { createHash } from 'node:crypto';

/** The digest of a text in hexadecimal digits, as vendors sign with it. */
export const hexDigest = (algorithm: 'md5' | 'sha256', text: string): string =>
  createHash(algorithm).update(text, 'utf8').digest('hex');
