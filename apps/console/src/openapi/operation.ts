import { schemaRef, type DocumentedOperation, type JsonSchema } from '@pushfleet/http-edge';
import type { Access } from '../http/access';
import type { ProblemKind } from '../http/problem';

/** What the reference says about one operation; errors that all operations share are added to it. */
export interface Operation extends DocumentedOperation<ProblemKind> {
  readonly tag: 'apps' | 'profiles' | 'pushes' | 'channels' | 'installations' | 'users' | 'fleet' | 'people';
  /** Whom it is for; undefined: anybody. */
  readonly access: Access | undefined;
  /** It is answered when every process works with what it changed. */
  readonly settles?: true;
}

/** By `METHOD /path` as the router has it. */
export type Operations = Readonly<Record<string, Operation>>;

/** Where everything about one app stands. */
export const APP = '/api/v1/apps/:id';

/** Rows of one group of the reference: the id of an operation, whom it is for, and what it does in a few words. */
export const operationsOn = (tag: Operation['tag']) => (id: string, access: Operation['access'], summary: string) => ({
  id,
  access,
  tag,
  summary,
});

export { ofApp, OF_CALLER, ofFleet } from '../http/access';
export { schemaRef as ref } from '@pushfleet/http-edge';

export const resultsOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['results'],
  properties: { results: { type: 'array', items } },
  additionalProperties: true,
});

export const listOf = (name: string): JsonSchema => resultsOf(schemaRef(name));

/** How many a page of a list has. */
export const pageOf = (limit: number, usual: number) => ({
  description: `How many, 1 to ${limit}.`,
  schema: { type: 'integer', minimum: 1, maximum: limit, default: usual },
});

/** A page of a list that goes on where its cursor says, and what more is said of the list. */
export const pageSchema = (item: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  ...listOf(item),
  properties: { results: { type: 'array', items: schemaRef(item) }, cursor: { type: 'string' }, ...more },
});

/** Where a page of a list begins. */
export const cursorOf = (first: string, pattern: string) => ({
  description: `Of the page before; absent: ${first}.`,
  schema: { type: 'string', pattern },
});

/** What is answered when all went well. */
export const answerOf = (description: string, schema: JsonSchema, example: unknown): Operation['answer'] => ({
  status: 200,
  description,
  schema,
  example,
});

/** The answer to what is done when it is answered. */
export const DONE: Operation['answer'] = {
  status: 200,
  description: 'It is done.',
  example: {},
  schema: { type: 'object', maxProperties: 0 },
};

/** The same for a change of settings. */
export const SETTLED: Operation['answer'] = { ...DONE, schema: schemaRef('Settled') };

export const EXAMPLE_AT = '2026-11-21T08:30:00.000Z';
export const APP_ID = 'FFnN2hso42Wego3pWq4X5qlu';
