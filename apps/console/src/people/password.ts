import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { LIMITS } from '@pushfleet/domain';
import { Refusal } from '@pushfleet/http-edge';

/** OWASP Password Storage Cheat Sheet, 2026: one of its equal choices for scrypt, with 32 MiB for each password. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Node refuses what needs more; the library takes a little beside its 128 * N * r. */
const MEMORY_BYTES = 2 * 128 * COST.N * COST.r;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** Passwords, one after the other: many at once would take the memory of everything else. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long where there is nothing to compare with. */
  isRight(password: string, stored: string | undefined): Promise<boolean>;
}

const BUSY_SECONDS = 5;

export function openPasswords(): Passwords {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= LIMITS.signInsWaiting.value)
      throw new Refusal('too-many-calls', 'too many passwords are being checked; try again', BUSY_SECONDS);
    waiting += 1;
    const turn = last.then(work, work);
    last = turn;
    return turn.finally(() => (waiting -= 1));
  }
  return {
    hash: (password) => inTurn(() => hashNow(password, randomBytes(SALT_BYTES))),
    isRight: (password, stored) => inTurn(() => compare(password, stored)),
  };
}

async function hashNow(password: string, salt: Buffer): Promise<string> {
  const key = await keyOf(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

const NOTHING = Buffer.alloc(SALT_BYTES).toString('base64url');

async function compare(
  password: string,
  stored = `scrypt$${COST.N}$${COST.r}$${COST.p}$${NOTHING}$`,
): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = stored.split('$');
  const key = await keyOf(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  const known = Buffer.from(expected, 'base64url');
  return known.length === key.length && timingSafeEqual(known, key);
}

/** The same characters may be typed as different code points. */
const keyOf = (password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> =>
  derive(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MEMORY_BYTES });
