import {
  audienceOf,
  comparatorOf,
  compileCondition,
  compileWhere,
  InvalidInput,
  LIMITS,
  nearestFirst,
  type Audience,
  type Installation,
  type JsonObject,
  type OrderKey,
} from '@pushfleet/domain';
import { fieldsByCursor } from '../kit/hash-fields';
import { inTurns } from './in-turns';
import { SHARDS } from '../kit/shards';
import { BestOf } from './best-of';
import { complete, lookUpMany, readMany, toInstallation, type Reader } from './read';
import type { IndexedInstallation, StoredInstallation } from './stored';
import { answerSubqueries } from './subqueries';

export interface FindRequest {
  readonly app: string;
  /** Parsed; its sub-queries are answered first. */
  readonly where: JsonObject;
  /** Absent or empty: the nearest first if the condition names a place, else in no order. */
  readonly order?: readonly OrderKey[];
  readonly limit: number;
  readonly skip: number;
  /** Count all matches, whatever the limit. */
  readonly count: boolean;
  /** Ends the search when its caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

export interface Found {
  readonly results: readonly Installation[];
  /** Present when it was asked for. */
  readonly count?: number;
}

/** More would have to be held at once. */
const MAX_SORTED = LIMITS.sortedResults.value;

/** The installations that a condition holds for; devices named by an address field are looked up, others are scanned. */
export async function findInstallations(reader: Reader, request: FindRequest): Promise<Found> {
  const where = await answered(reader, request);
  const compare = request.order?.length ? comparatorOf(request.order) : nearestFirst(where);
  const answering = { ...request, where };
  return compare && request.limit > 0 ? findSorted(reader, answering, compare) : findAny(reader, answering);
}

interface Question extends Pick<FindRequest, 'app' | 'where' | 'signal'> {
  /** Installations that one sub-query looks at; absent: as many as there are. */
  readonly lookAt?: number | undefined;
}

/** The condition with its sub-queries answered. */
export function answered(reader: Reader, { app, where, signal, lookAt }: Question): Promise<JsonObject> {
  return answerSubqueries(where, async (inner, limit) => {
    const { results } = await findAny(reader, { app, where: inner, limit, skip: 0, count: false, signal, lookAt });
    return results;
  });
}

/** Whether a version may be replaced or removed; there may be none yet. */
export type Condition = (old: StoredInstallation | undefined) => boolean;

export async function conditionOf(reader: Reader, app: string, where: JsonObject): Promise<Condition> {
  const matches = compileWhere(await answered(reader, { app, where }));
  return (old) => old !== undefined && matches(toInstallation(old));
}

type Search = FindRequest & Pick<Question, 'lookAt'>;

async function findAny(reader: Reader, request: Search): Promise<Found> {
  const results: Installation[] = [];
  let seen = 0;
  for await (const installation of candidates(reader, request)) {
    seen += 1;
    if (seen > request.skip && results.length < request.limit) results.push(installation);
    if (!request.count && results.length >= request.limit) break;
  }
  return request.count ? { results, count: seen } : { results };
}

async function findSorted(
  reader: Reader,
  request: FindRequest,
  compare: (a: JsonObject, b: JsonObject) => number,
): Promise<Found> {
  const { limit, skip } = request;
  if (skip + limit > MAX_SORTED)
    throw new InvalidInput('invalid-query', `order: reaches no further than ${MAX_SORTED} objects`);
  const best = new BestOf<Installation>(skip + limit, compare);
  let count = 0;
  for await (const installation of candidates(reader, request)) {
    best.add(installation);
    count += 1;
  }
  const results = best.takeFrom(skip);
  return request.count ? { results, count } : { results };
}

async function* candidates(reader: Reader, { app, where, signal, lookAt }: Search): AsyncGenerator<Installation> {
  const matches = inTurns(compileCondition(where), signal);
  const { addressed } = audienceOf(where, undefined);
  const source = addressed ? await readAddressed(reader, app, addressed) : allInstallations(reader, app);
  let lookedAt = 0;
  for await (const stored of source) {
    signal?.throwIfAborted();
    if (lookedAt === lookAt)
      throw new InvalidInput(
        'invalid-query',
        `where: a sub-query would look at more than ${lookAt} installations here`,
      );
    lookedAt += 1;
    const installation = toInstallation(stored);
    if (await matches(installation)) yield installation;
  }
}

/** The installations that an address names, in the order of its values; unknown values are left out. */
export async function readAddressed(
  reader: Reader,
  app: string,
  { field, values }: NonNullable<Audience['addressed']>,
): Promise<readonly IndexedInstallation[]> {
  const ids = field === 'objectId' ? values : await lookUpMany(reader, app, { kind: field, values });
  const found = await readMany(
    reader,
    app,
    ids.filter((id) => id !== undefined),
  );
  return ids.flatMap((id, i) => {
    const stored = id === undefined ? undefined : found.get(id);
    const isNamed = field === 'objectId' || stored?.doc[field] === values[i];
    return stored && isNamed ? [stored] : [];
  });
}

/** Those of some installationIds that an installation has. */
export async function existingOf(reader: Reader, app: string, values: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await readAddressed(reader, app, { field: 'installationId', values });
  return new Set(found.map(({ doc }) => String(doc['installationId'])));
}

async function* allInstallations(reader: Reader, app: string): AsyncGenerator<IndexedInstallation> {
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const key = reader.keys.records(app, shard);
    // A scan may name an entry twice while the hash grows or shrinks.
    const seen = new Set<string>();
    for await (const records of fieldsByCursor(reader.redis, key)) {
      const fresh = records.filter(([objectId]) => !seen.has(objectId) && seen.add(objectId));
      const found = await Promise.all(fresh.map(([objectId, text]) => complete(reader, app, { objectId, text })));
      yield* found.filter((stored) => stored !== undefined);
    }
  }
}
