import { hash } from 'node:crypto';

/** The field of a look-up by registrationId: sixteen bytes instead of up to 512. */
export const registrationDigest = (registrationId: string): string =>
  hash('sha256', registrationId, 'base64url').slice(0, 16);
