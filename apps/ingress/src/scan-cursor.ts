import { plainJsonIn, type LanePosition } from '@pushfleet/domain';
import { z } from 'zod';

/** LeanCloud REST guide: a cursor is good for ten minutes. */
const LIFE_MS = 600_000;

const cursorSchema = z.tuple([z.int(), z.int(), z.string().max(512)]);

/** Where a scan goes on, as text for the caller. */
export const formatCursor = ({ shard, objectId }: LanePosition, now: number): string =>
  Buffer.from(JSON.stringify([now, shard, objectId])).toString('base64url');

export function parseCursor(text: string, now: number): LanePosition | 'invalid' | 'expired' {
  const parsed = cursorSchema.safeParse(plainJsonIn(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) return 'invalid';
  const [madeAt, shard, objectId] = parsed.data;
  return now - madeAt > LIFE_MS ? 'expired' : { shard, objectId };
}
