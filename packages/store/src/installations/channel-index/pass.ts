import { DAY_MS, channelsOf } from '@pushfleet/domain';
import { fieldsByName } from '../../kit/hash-fields';
import { SHARDS } from '../../kit/shards';
import { decodeInstallation } from '../stored';
import { addEntries, type IndexParts } from './entries';
import { clearStaleEntries } from './stale-entries';
import { isDue, readState, SETTLE_MS, step, type ChannelIndexState, type HeldState } from './states';

export interface PassTimes {
  readonly now: () => number;
  /** From then on, whoever saves writes the index. */
  readonly settledAt: number;
  /** What is cut off goes on where it stopped, in whichever process. */
  readonly stopping: AbortSignal;
}

/** Entries are lost with a Redis that loses its newest writes, and with a return to an earlier version. */
const AGAIN_MS = DAY_MS;

/**
 * Checks the index of an app against its records when that is due, shard by shard, and adds what is missing. A pass that
 * found nothing missing is what makes the index sound. Resolves with the number of entries that were added.
 */
export async function checkIndex(
  parts: IndexParts,
  app: string,
  { now, settledAt, stopping }: PassTimes,
): Promise<number> {
  let held: HeldState | undefined = await readState(parts, app);
  if (!isDue(held.state, now())) return 0;
  const begunAt = held.state.begunAt ?? now();
  let missing = held.state.begunAt === undefined ? 0 : held.state.missing;
  const before = missing;
  for (let shard = held.state.shard ?? 0; shard < SHARDS; shard += 1) {
    if (stopping.aborted) return missing - before;
    missing += await addMissing(parts, app, shard);
    await clearStaleEntries(parts, app, { shard, now: now() });
    held = await step(parts, app, { from: held, to: { ...held.state, begunAt, shard: shard + 1, missing } });
    if (!held) return missing - before;
  }
  await step(parts, app, { from: held, to: afterPass({ begunAt, missing, settledAt, now: now() }) });
  return missing - before;
}

interface Passed {
  readonly begunAt: number;
  readonly missing: number;
  readonly settledAt: number;
  readonly now: number;
}

/** What was missing may be the trace of somebody who saves without the index: it is looked at again when he has gone. */
function afterPass({ begunAt, missing, settledAt, now }: Passed): ChannelIndexState {
  if (missing > 0) return { missing, dueAt: Math.max(settledAt, now + SETTLE_MS) };
  if (begunAt < settledAt) return { missing, dueAt: settledAt };
  return { missing, soundSince: begunAt, dueAt: begunAt + AGAIN_MS };
}

async function addMissing(parts: IndexParts, app: string, shard: number): Promise<number> {
  const { redis, keys } = parts;
  let added = 0;
  for await (const records of fieldsByName(redis, keys.records(app, shard))) {
    const entries = new Map<string, ReadonlySet<number>>();
    for (const [objectId, text] of records) {
      const stored = decodeInstallation(objectId, text, '');
      if (stored && stored.bucket !== '')
        for (const channel of channelsOf(stored.doc)) entries.set(channel, new Set([shard]));
    }
    added += await addEntries(parts, app, { entries, isBefore: false });
  }
  return added;
}
