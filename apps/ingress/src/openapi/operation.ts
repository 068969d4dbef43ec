import { schemaRef, type DocumentedOperation, type JsonSchema } from '@pushfleet/http-edge';
import { LIMITS, type AppSwitch } from '@pushfleet/domain';
import { type Problem } from '../http/problem';

/**
 * Which key an operation asks for: of the app, the master key, none, or one in the path; or the master key unless a
 * switch of the app opens it to the app key.
 */
export type KeyNeeded = 'app' | 'master' | 'none' | 'path' | AppSwitch;

/** What the reference says about one operation; errors that all operations share are added to it. */
export interface Operation extends DocumentedOperation<Problem> {
  readonly tag: 'push' | 'installations' | 'records' | 'messaging' | 'devices and vendors' | 'service';
  readonly key: KeyNeeded;
}

/** By `METHOD /path` as the router has it. */
export type Operations = Readonly<Record<string, Operation>>;

export { schemaRef as ref } from '@pushfleet/http-edge';

export const listOf = (name: string): JsonSchema => ({ type: 'array', items: schemaRef(name) });

export const PAGE = {
  limit: {
    description: 'How many, 1 to 1000; anything else counts as 100.',
    schema: { type: 'integer', default: 100 },
  },
  skip: { description: 'How many to leave out first.', schema: { type: 'integer', default: 0 } },
} as const;

export const WHERE = {
  description:
    'Condition as JSON: equality, `$ne`, `$lt`, `$lte`, `$gt`, `$gte`, `$in`, `$nin`, `$all`, `$exists`, `$size`, `$regex` with `$options`, `$or`, `$and`, `$inQuery`, `$notInQuery`, `$select`, `$dontSelect`, `$nearSphere` with `$maxDistance…`, `$within`.',
  schema: { type: 'string', contentMediaType: 'application/json' },
  example: '{"channels":"news","createdAt":{"$gte":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}}',
} as const;

export const KEYS = {
  description: 'Fields to answer, with commas between; a minus sign leaves one out.',
  schema: { type: 'string', maxLength: LIMITS.keysCharacters.value },
} as const;

export const EXAMPLE_AT = '2026-11-21T08:30:00.000Z';
