import { crc32 } from 'node:zlib';

/**
 * Who made an unconfirmed installation, and in which minute, as one score of a sorted set: 24 bits of a digest of the address,
 * 26 of the time. Too little of the address to tell it from others, and enough to tell one that floods from the many.
 */
export interface Mark {
  readonly origin: number;
  readonly minute: number;
}

const MINUTES = 2 ** 26;

export const scoreOf = (address: string | undefined, now: number): number =>
  (address === undefined ? 0 : crc32(address) >>> 8) * MINUTES + Math.floor(now / 60_000);

export const markIn = (score: number): Mark => ({ origin: Math.floor(score / MINUTES), minute: score % MINUTES });
