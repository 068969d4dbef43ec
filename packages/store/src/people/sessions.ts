import { hash, randomBytes } from 'node:crypto';
import { DAY_MS } from '@pushfleet/domain';
import type { RedisClient } from '../kit/redis';
import type { PeopleKeys } from './people-keys';

/** Sessions of browsers, by the id in their cookie; Redis learns its digest only. */
export interface SessionStore {
  get(id: string): Promise<string | undefined>;
  put(id: string, text: string, lifeMs: number): Promise<void>;
  /** Gives it the whole life again. */
  touch(id: string, lifeMs: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Gives the sessions of somebody who signs in elsewhere another generation; none of an earlier one lives longer than the life. */
  endAll(subject: string, lifeMs: number): Promise<void>;
  /** Undefined: they were not ended, or so long ago that none of them is left. */
  generationOf(subject: string): Promise<string | undefined>;
  /** Whoever presents the token may sign in, any number of times until its life is over. */
  addLink(token: string, lifeMs: number): Promise<void>;
  hasLink(token: string): Promise<boolean>;
}

const digestOf = (secret: string): string => hash('sha256', secret, 'base64url');

export function openSessions({ redis, keys }: { redis: RedisClient; keys: PeopleKeys }): SessionStore {
  const key = (id: string): string => keys.session(digestOf(id));
  const end = (subject: string): string => keys.sessionsEnd(digestOf(subject));
  const link = (token: string): string => keys.signInLink(digestOf(token));
  return {
    get: async (id) => (await redis.get(key(id))) ?? undefined,
    put: async (id, text, lifeMs) => void (await redis.set(key(id), text, 'PX', lifeMs)),
    touch: async (id, lifeMs) => void (await redis.pexpire(key(id), lifeMs)),
    remove: async (id) => void (await redis.del(key(id))),
    // By no clock, and a day longer than the life: those of two consoles differ.
    endAll: async (subject, lifeMs) =>
      void (await redis.set(end(subject), randomBytes(12).toString('base64url'), 'PX', lifeMs + DAY_MS)),
    generationOf: async (subject) => (await redis.get(end(subject))) ?? undefined,
    addLink: async (token, lifeMs) => void (await redis.set(link(token), '1', 'PX', lifeMs)),
    hasLink: async (token) => (await redis.exists(link(token))) === 1,
  };
}
