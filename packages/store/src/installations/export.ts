import type { Installation, LanePosition } from '@pushfleet/domain';
import { ALL_SHARDS, shardOf } from '../kit/shards';
import { inOrder } from './in-order';
import { asSaved, complete, toInstallation, type Reader } from './read';
import { scanInstallations, type Scanned, type ScanRequest } from './scan';

/** All of them as they were saved, where no condition is told: what an export holds is no verdict of this service. */
export interface ExportRequest extends Partial<Pick<ScanRequest, 'where' | 'lookAt' | 'signal'>> {
  readonly app: string;
  /** objectId of the last one of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** One page of them, always in the same order, which outlives restarts and changes in between. */
export function exportInstallations(reader: Reader, { after, ...wish }: ExportRequest): Promise<Scanned> {
  const show = wish.where === undefined ? asSaved : undefined;
  return scanInstallations(reader, { where: {}, ...wish, show, from: positionOf(after) });
}

export interface PortionsRequest {
  readonly app: string;
  readonly after?: string | undefined;
  /** Of installations that are held together at most. */
  readonly atOnce: number;
}

/** The same order, read until whoever asks has enough; no portion is empty. */
export async function* portionsOf(
  reader: Reader,
  { app, after, atOnce }: PortionsRequest,
): AsyncGenerator<readonly Installation[]> {
  const wish = { app, from: positionOf(after), atOnce: { first: atOnce, most: atOnce } };
  for await (const records of inOrder(reader, wish)) {
    const found = await Promise.all(records.map((record) => complete(reader, app, record)));
    const installations = found.filter((stored) => stored !== undefined).map(toInstallation);
    if (installations.length > 0) yield installations;
  }
}

const positionOf = (objectId: string | undefined): LanePosition | undefined =>
  objectId === undefined ? undefined : { shard: shardOf(objectId), objectId };

export async function countInstallations({ redis, keys }: Reader, app: string): Promise<number> {
  const shards = ALL_SHARDS.map((shard) => redis.hlen(keys.records(app, shard)));
  return (await Promise.all(shards)).reduce((a, b) => a + b, 0);
}
