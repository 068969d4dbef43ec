import { DAY_MS, MAX_SAMPLES, MAX_VERDICTS } from '@pushfleet/domain';
import { shardOfPush } from './keys';
import { each, type Each, type Params, type Values } from '../kit/lua/params';
import { luaScript, type LuaScript } from '../kit/lua/script';
import { perShard } from './per-shard';
import type { PushParts } from './push-parts';
import { MAX_EXACT_RECEIPTS } from './receipts';
import { NAMES } from './record-fields';

/** What a script shall change in one push. */
export interface Change<P> {
  readonly pushId: string;
  readonly now: number;
  readonly wants: Values<P>;
}

/** What every script takes of a push whose books it changes. */
const BOOKED = {
  record: 'key',
  ledger: 'key',
  verdicts: 'key',
  kept: 'key',
  open: 'key',
  closed: 'key',
  id: 'text',
  now: 'text',
  retentionMs: 'text',
  addressedMs: 'text',
  mayPack: 'text',
} as const;

/** A closed push may still grow by one receipt for each device that was reached. */
const RECEIPT_BYTES = 48;
/** A longer condition of an addressed push is dropped once the push is done. */
const MAX_DONE_WHERE = 1024;
/** A longer audience is a list of devices, which the plan holds once the push is dispatched. */
const MAX_KEPT_AUDIENCE = 16 * 1024;

/** A hash of no more fields, with no longer name or value, is one piece of memory by the defaults of Redis (`hash-max-listpack-*`). */
const [MAX_PIECES, MAX_PIECE, MAX_PIECE_SUFFIX] = [120, 64, 4];

/** A record holds small frames of outcomes up to these bytes; others stand beside it. */
const MAX_OUTCOME_LINES = 1024;
/** No push is open for so long. */
const OPEN_OUTCOMES_MS = 90 * DAY_MS;

const constants = {
  ...NAMES,
  MAX_PIECES,
  MAX_PIECE,
  MAX_PIECE_SUFFIX,
  MAX_SAMPLES,
  MAX_VERDICTS,
  MAX_EXACT_RECEIPTS,
  RECEIPT_BYTES,
  MAX_DONE_WHERE,
  MAX_KEPT_AUDIENCE,
  MAX_OUTCOME_LINES,
  OPEN_OUTCOMES_MS,
};

interface BookScript<P extends Params, Answer> {
  readonly wants: P;
  readonly run: LuaScript<{ readonly totals: 'key'; readonly pushes: Each<Params> }, readonly (Answer | Error)[]>;
}

/** A script that changes the books of many pushes in one push shard; `wants` are its own parameters for each push. */
export const bookScript = <const P extends Params, Answer>(
  file: `pushes/${string}`,
  wants: P,
  answer: (raw: never) => Answer,
): BookScript<P, Answer> => {
  const of = (raw: Error | object | number): Answer | Error => (raw instanceof Error ? raw : answer(raw as never));
  const run = luaScript(file, {
    params: { totals: 'key', pushes: each<Params>({ ...BOOKED, ...wants }) },
    constants,
    answer: (raws: readonly (Error | object | number)[]) => raws.map(of),
  });
  return { wants, run };
};

/** Runs a script that changes the books of pushes; a change that fails is rejected alone. */
export function openBookKeeping<P extends Params, Answer>(
  { redis, keys, retentionMs, addressedRetentionMs: addressedMs, mayPack }: PushParts,
  { run }: BookScript<P, Answer>,
): (change: Change<P>) => Promise<Answer> {
  const ofPush = ({ pushId, now, wants }: Change<P>, packs: boolean) => ({
    record: keys.pushRecord(pushId),
    ledger: keys.ledger(pushId),
    verdicts: keys.verdicts(pushId),
    kept: keys.outcomes(pushId),
    open: keys.openPushes(shardOfPush(pushId)),
    closed: keys.closedPushes(shardOfPush(pushId)),
    id: pushId,
    now,
    retentionMs,
    addressedMs,
    mayPack: packs ? 1 : 0,
    ...wants,
  });
  return perShard<Change<P>, Answer>((changes) => {
    const totals = keys.totals(shardOfPush(changes[0]?.pushId ?? ''));
    const packs = mayPack();
    return run(redis, { totals, pushes: changes.map((change) => ofPush(change, packs)) });
  });
}
