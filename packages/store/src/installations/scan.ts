import { compileCondition, type Installation, type JsonObject, type LanePosition } from '@pushfleet/domain';
import { inTurns } from './in-turns';
import { shardOf, SHARDS } from '../kit/shards';
import { answered } from './find';
import { complete, toInstallation, type Reader } from './read';

export interface ScanRequest {
  readonly app: string;
  /** Parsed; its sub-queries are answered anew for every page. */
  readonly where: JsonObject;
  readonly limit: number;
  /** The last one of the page before. */
  readonly from?: LanePosition | undefined;
  /** Ends the search when its caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

export interface Scanned {
  readonly results: readonly Installation[];
  /** The last one of this page; absent when no other follows. */
  readonly end?: LanePosition;
}

const READ_AT_ONCE = 500;

/** One page of an app's installations in (shard, objectId) order, which outlives restarts and changes in between. */
export async function scanInstallations(reader: Reader, request: ScanRequest): Promise<Scanned> {
  const matches = inTurns(compileCondition(await answered(reader, request)), request.signal);
  const results: Installation[] = [];
  for await (const installation of inOrder(reader, request)) {
    request.signal?.throwIfAborted();
    if (!(await matches(installation))) continue;
    if (results.length === request.limit) return { results, ...endOf(results) };
    results.push(installation);
  }
  return { results };
}

function endOf(results: readonly Installation[]): Pick<Scanned, 'end'> {
  const objectId = results.at(-1)?.objectId;
  return objectId === undefined ? {} : { end: { shard: shardOf(objectId), objectId } };
}

async function* inOrder(reader: Reader, { app, from, limit }: ScanRequest): AsyncGenerator<Installation> {
  for (let shard = from?.shard ?? 0; shard < SHARDS; shard += 1) {
    const key = reader.keys.records(app, shard);
    const behind = shard === from?.shard ? from.objectId : '';
    const ids = (await reader.redis.hkeys(key)).filter((objectId) => objectId > behind).sort();
    const atOnce = Math.min(READ_AT_ONCE, limit + 1);
    for (let i = 0; i < ids.length; i += atOnce)
      yield* await readSome(reader, app, { key, ids: ids.slice(i, i + atOnce) });
  }
}

async function readSome(
  reader: Reader,
  app: string,
  { key, ids }: { key: string; ids: readonly string[] },
): Promise<readonly Installation[]> {
  const texts = await reader.redis.hmget(key, ...ids);
  const found = await Promise.all(
    ids.map((objectId, i) => {
      const text = texts[i];
      return typeof text === 'string' ? complete(reader, app, { objectId, text }) : undefined;
    }),
  );
  return found.filter((stored) => stored !== undefined).map(toInstallation);
}
