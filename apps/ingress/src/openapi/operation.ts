import { LIMITS, type AppSwitch } from '@pushfleet/domain';
import { type JsonSchema } from '@pushfleet/service-kit';
import { type Problem } from '../http/problem';

/**
 * Which key an operation asks for: of the app, the master key, none, or one in the path; or the master key unless a
 * switch of the app opens it to the app key.
 */
export type KeyNeeded = 'app' | 'master' | 'none' | 'path' | AppSwitch;

export interface DocumentedParameter {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

export interface Form {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** By content type. */
export type Forms = Readonly<Record<string, Form>>;

/** What the reference says about one operation; errors that all operations share are added to it. */
export interface Operation {
  readonly id: string;
  readonly tag: 'push' | 'installations' | 'records' | 'devices and vendors' | 'service';
  readonly summary: string;
  readonly description?: string;
  readonly key: KeyNeeded;
  readonly query?: Readonly<Record<string, DocumentedParameter>>;
  readonly body?: Form & {
    /** Absent: none but JSON. */
    readonly otherForms?: Forms;
    readonly isOptional?: true;
  };
  readonly answer: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly schema: JsonSchema;
    readonly example: unknown;
    readonly otherForms?: Forms;
    readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
    /** Absent: JSON. */
    readonly contentType?: string;
  };
  /** Refusals that are not in the form of this API. */
  readonly refusals?: Readonly<Record<number, Form & { readonly description: string }>>;
  /** What can go wrong beside what always can. */
  readonly problems: readonly Problem[];
}

/** By `METHOD /path` as the router has it. */
export type Operations = Readonly<Record<string, Operation>>;

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const listOf = (name: string): JsonSchema => ({ type: 'array', items: ref(name) });

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
