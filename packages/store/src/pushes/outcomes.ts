import { isDone, luaScript } from '../kit/lua/script';
import { decodeRecord } from './decode-record';
import { decodeFrame, decodeLines, devicesIn, groupOf, packedName, type OutcomeGroup } from './outcome-frames';
import { openOutcomePages, type ReadOutcomePage, type RecordedOutcomes } from './outcome-pages';
import type { PushParts } from './push-parts';
import { readFields } from './read-fields';
import { NAMES, RECORD } from './record-fields';
import type { PushToSend } from './records';

export interface Outcomes {
  /** Before the plan of an audience push is written: from then on its outcomes count against those of its app. */
  expect(app: string, push: Pick<PushToSend, 'pushId' | 'createdAt' | 'pushTime'>): Promise<void>;
  /** What became of the devices of some pushes, page by page. */
  readonly page: ReadOutcomePage;
  /** What became of one device of a push, by its objectId or the address that the push named it by. */
  of(pushId: string, name: string): Promise<OutcomeGroup | undefined>;
  /** Drops those of the oldest audience pushes of an app until the others fit. Resolves with the number of pushes. */
  trim(app: string, stopping: AbortSignal): Promise<number>;
}

/** A record with so many bytes of outcomes gets no more. */
const FULL = Number.MAX_SAFE_INTEGER;
const AT_ONCE = 200;
/** Frames that one script looks through, of a thousand devices each: other commands wait meanwhile. */
const LOOKED_THROUGH = 32;

const NO_MORE = -2;

const findFrame = luaScript('pushes/find-frame', {
  params: { kept: 'key', from: 'number', most: 'number', packed: 'bytes', text: 'bytes' },
  answer: Number,
});

const drop = luaScript('pushes/drop-outcomes', {
  params: { record: 'key', kept: 'key' },
  constants: { ...NAMES, FULL },
  answer: isDone,
});

export function openOutcomes(parts: PushParts): Outcomes {
  const { redis, keys } = parts;
  return {
    async expect(app, { pushId, createdAt, pushTime }) {
      // One that was scheduled days ahead is as young as the day it is sent on.
      await redis.zadd(keys.outcomesOf(app), Math.max(createdAt, pushTime), pushId);
    },
    page: openOutcomePages({
      recorded: async (pushId) => recordedIn(pushId, await readFields(parts, pushId)),
      async frames(pushId, from, count) {
        return (await redis.lrangeBuffer(keys.outcomes(pushId), from, from + count - 1)).map(decodeFrame);
      },
    }),
    of: (pushId, name) => outcomeOf(parts, pushId, name),
    trim: (app, stopping) => trim(parts, app, stopping),
  };
}

async function outcomeOf(parts: PushParts, pushId: string, name: string): Promise<OutcomeGroup | undefined> {
  const { redis, keys } = parts;
  const fields = await readFields(parts, pushId);
  const kept = keys.outcomes(pushId);
  const text = Buffer.from(JSON.stringify(name));
  const packed = packedName(name) ?? text;
  let group = groupOf(decodeLines(fields[RECORD.outcomes] ?? ''), name);
  for (let from = 0; !group;) {
    const found = await findFrame(redis, { kept, from, most: LOOKED_THROUGH, packed, text });
    if (found === NO_MORE) return undefined;
    if (found >= 0) group = groupOf((await redis.lrangeBuffer(kept, found, found)).map(decodeFrame), name);
    from = found >= 0 ? found + 1 : from + LOOKED_THROUGH;
  }
  return group;
}

function recordedIn(pushId: string, fields: Readonly<Record<string, string>>): RecordedOutcomes {
  const { status, channels } = decodeRecord(pushId, fields);
  const lines = decodeLines(fields[RECORD.outcomes] ?? '');
  const [beside = '0'] = (fields[RECORD.told] ?? '').split(' ');
  const matched = Object.values(channels).reduce((all, books) => all + books.matched, 0);
  const isOver = status === 'done' || status === 'error';
  return { isComplete: isOver && Number(beside) + devicesIn(lines) === matched, lines };
}

async function trim(parts: PushParts, app: string, stopping: AbortSignal): Promise<number> {
  const list = parts.keys.outcomesOf(app);
  let [dropped, bytes, from, read] = [0, 0, 0, AT_ONCE];
  while (read === AT_ONCE && !stopping.aborted) {
    const ids = await parts.redis.zrevrange(list, from, from + AT_ONCE - 1);
    const gone: string[] = [];
    for (const { pushId, state, size } of await sizesOf(parts, ids)) {
      bytes += size;
      const isOver = bytes > parts.outcomeBytes;
      if (isOver && (await dropOf(parts, pushId))) dropped += 1;
      if (state === 'gone') await parts.redis.unlink(parts.keys.outcomes(pushId));
      if (isOver || state !== 'counts') gone.push(pushId);
    }
    if (gone.length > 0) await parts.redis.zrem(list, ...gone);
    from += ids.length - gone.length;
    read = ids.length;
  }
  return dropped;
}

const dropOf = ({ redis, keys }: PushParts, pushId: string): Promise<boolean> =>
  drop(redis, { record: keys.pushRecord(pushId), kept: keys.outcomes(pushId) });

const sizesOf = ({ redis, keys }: PushParts, pushIds: readonly string[]) =>
  Promise.all(
    pushIds.map(async (pushId) => {
      const [status, told] = await redis.hmget(keys.pushRecord(pushId), RECORD.status, RECORD.told);
      return { pushId, state: stateOf(status, told), size: Number(told?.split(' ')[1] ?? 0) };
    }),
  );

/** Whether a push counts: one that is over without having any in a list of their own gets none any more. */
function stateOf(status: string | null | undefined, told: string | null | undefined): 'gone' | 'none' | 'counts' {
  if (status === null) return 'gone';
  return (status === 'done' || status === 'error') && !told ? 'none' : 'counts';
}
