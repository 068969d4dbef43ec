import { appScopeSchema, LIMITS, roleSchema } from '@pushfleet/domain';
import { z } from 'zod';
import type { RedisClient } from '../kit/redis';
import { openBoundedHash, type BoundedHash } from './bounded-hash';
import type { PeopleKeys } from './people-keys';

/** Somebody who signs in to the console. */
export const personSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  apps: appScopeSchema,
  /** What is left of the password, and how it was made. */
  passwordHash: z.string(),
  /** Sessions that were begun with another number are over. */
  generation: z.int(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});

export type Person = z.output<typeof personSchema>;

/** By names that do not tell upper from lower case. */
export type PersonStore = BoundedHash<Person>;

/** One name however it is typed. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

export function openPersons({ redis, keys }: { redis: RedisClient; keys: PeopleKeys }): PersonStore {
  const place = { redis, key: keys.people(), max: LIMITS.people.value };
  const persons = openBoundedHash({ schema: personSchema, kind: 'person', ...place });
  return {
    list: () => persons.list(),
    get: (name) => persons.get(nameKey(name)),
    add: (name, person) => persons.add(nameKey(name), person),
    update: (name, change) => persons.update(nameKey(name), change),
    remove: (name) => persons.remove(nameKey(name)),
  };
}
