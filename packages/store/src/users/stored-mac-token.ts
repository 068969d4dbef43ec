import { plainJsonIn } from '@pushfleet/domain';
import { z } from 'zod';

/** Never changes; whether the token is still valid is in its state. */
export interface StoredMacToken {
  /** The same for every name of the token. */
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly macKey: string;
  readonly macAlgorithm: 'hmac-sha-1' | 'hmac-sha-256';
  /** As it was given; absent: `public_profile`. */
  readonly scope?: string;
  readonly epoch: string;
  readonly grant: string;
}

export type StoredText = Omit<StoredMacToken, 'macKey'> & {
  readonly sealedKey: string;
  /** The digest of its key id; absent where an earlier release wrote it. */
  readonly kid?: string;
  /** As it was given. */
  readonly expireIn?: string;
};

/** What its key is bound to; what else a record has stays as it is. */
const boundSchema = z.looseObject({ id: z.string(), userId: z.string(), clientId: z.string(), sealedKey: z.string() });

/** One that is damaged counts as unknown: whoever had it signs in again. */
export const macTokenIn = (text: string | null | undefined): StoredText | undefined =>
  typeof text === 'string' ? (boundSchema.safeParse(plainJsonIn(text)).data as StoredText | undefined) : undefined;
