import { hash } from 'node:crypto';
import { LIMITS } from '@pushfleet/domain';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { PeopleKeys } from './people-keys';

/** Failed sign-ins, counted for all consoles together. */
export interface SignInBrake {
  /** Counts an attempt before its password is looked at: 0, or how long it has to wait. */
  begin(attempt: Attempt): Promise<number>;
  /** The password was right: the attempt does not count, and those with the name before it neither. */
  succeeded(attempt: Attempt): Promise<void>;
  /** Nobody could tell whether it was right: the attempt does not count. */
  undecided(attempt: Attempt): Promise<void>;
}

export interface Attempt {
  /** What is presented; names that people type share no count with the other two. */
  readonly kind: 'name' | 'answer' | 'link';
  /** The name, or the network again where nobody is named. */
  readonly who: string;
  readonly network: string;
}

const WINDOW_MS = 15 * 60_000;

const take = luaScript('people/take-attempt', {
  params: { count: 'key', most: 'number', windowMs: 'number' },
  answer: (raw: number) => raw,
});

const giveBack = luaScript('people/give-back-attempt', { params: { count: 'key' }, answer: nothing });

export function openSignInBrake({ redis, keys }: { redis: RedisClient; keys: PeopleKeys }): SignInBrake {
  const key = (kind: string, value: string): string => keys.failures(kind, hash('sha256', value, 'base64url'));
  const ofNetwork = ({ network }: Attempt): string => key('network', network);
  const ofWho = ({ kind, who }: Attempt): string => key(kind, who);
  return {
    async begin(attempt) {
      const network = { count: ofNetwork(attempt), most: LIMITS.signInsPerNetwork.value };
      const waitMs = await take(redis, { ...network, windowMs: WINDOW_MS });
      if (waitMs > 0) return waitMs;
      return take(redis, { count: ofWho(attempt), most: LIMITS.signInsPerName.value, windowMs: WINDOW_MS });
    },
    async succeeded(attempt) {
      await Promise.all([giveBack(redis, { count: ofNetwork(attempt) }), redis.del(ofWho(attempt))]);
    },
    async undecided(attempt) {
      await Promise.all([ofNetwork, ofWho].map((countOf) => giveBack(redis, { count: countOf(attempt) })));
    },
  };
}
