import { channelsOf, groupBy } from '@pushfleet/domain';
import { shardOf } from '../keys';
import { defineScript, runScript } from '../redis';
import { bytesOf } from './ceiling/bytes-of';
import { storeBatch } from './import-batch';
import { importOne, type ImportOutcome } from './import-one';
import { atOnce } from './at-once';
import { candidateOf, type Candidate, type ImportedInstallation, type ImportTimes } from './imported';
import { lookUpsOf } from './look-ups';
import { encodeInstallation } from './stored';
import type { Writer } from './write';

/** Installations that get a closer look at the same time. */
const AT_ONCE = 32;

/**
 * Stores many installations, each as it is given, unless what is there is as new or newer. One installationId stays one
 * installation and one registrationId belongs to one, with the newest of those that have it. The outcome depends neither
 * on the order of the rows nor on what an import before did of them; doing it again changes nothing.
 */
export async function importInstallations(
  writer: Writer,
  app: string,
  { rows, times }: { rows: readonly ImportedInstallation[]; times: ImportTimes },
): Promise<readonly ImportOutcome[]> {
  const candidates = rows.map((row) => candidateOf(row, times));
  await requireRoom(writer, app, candidates);
  const { distinct, repeated } = distinguish(candidates);
  const found = await storeBatch(
    writer,
    app,
    distinct.map(([, candidate]) => candidate),
  );
  const outcomes: ImportOutcome[] = [];
  const look = async ([row, candidate]: Numbered, isCreated = false): Promise<void> => {
    const outcome = await importOne(writer, app, candidate);
    outcomes[row] = isCreated && outcome === 'unchanged' ? 'created' : outcome;
  };
  const closerLooks: (() => Promise<void>)[] = [];
  distinct.forEach((one, i) => {
    const outcome = found[i] ?? 'contested';
    if (outcome === 'created' || outcome === 'unchanged') outcomes[one[0]] = outcome;
    else closerLooks.push(() => look(one, outcome === 'lost'));
  });
  await atOnce(AT_ONCE, closerLooks, (closerLook) => closerLook());
  for (const one of repeated) await look(one);
  return outcomes;
}

type Numbered = readonly [row: number, candidate: Candidate];

/** Rows that share an id with an earlier one are stored after it. */
function distinguish(candidates: readonly Candidate[]): {
  readonly distinct: readonly Numbered[];
  readonly repeated: readonly Numbered[];
} {
  const seen = { objectId: new Set(), installationId: new Set(), deviceToken: new Set(), registrationId: new Set() };
  const distinct: Numbered[] = [];
  const repeated: Numbered[] = [];
  candidates.forEach((candidate, row) => {
    const { objectId, doc } = candidate.stored;
    let isNew = !seen.objectId.has(objectId);
    seen.objectId.add(objectId);
    for (const [kind, id] of lookUpsOf({ doc })) {
      isNew &&= !seen[kind].has(id);
      seen[kind].add(id);
    }
    (isNew ? distinct : repeated).push([row, candidate]);
  });
  return { distinct, repeated };
}

/** All or nothing: what is there already needs none. */
async function requireRoom(writer: Writer, app: string, candidates: readonly Candidate[]): Promise<void> {
  const portions = groupBy(candidates, ({ stored }) => shardOf(stored.objectId));
  const fresh = await Promise.all(Array.from(portions, ([shard, some]) => withoutRecord(writer, { app, shard }, some)));
  const stored = fresh.flat().map((candidate) => candidate.stored);
  if (stored.length === 0) return;
  const bytes = stored.map((one) => bytesOf(encodeInstallation(one, undefined), { channels: channelsOf(one.doc) }));
  await writer.room.take(app, { installations: stored.length, bytes: bytes.reduce((a, b) => a + b, 0) });
}

/** KEYS records; ARGV objectIds. Answers 1 for each that exists, else 0. */
const existScript = defineScript(`
local found = {}
for i, id in ipairs(ARGV) do found[i] = redis.call('HEXISTS', KEYS[1], id) end
return found`);

async function withoutRecord(
  { redis, keys }: Writer,
  { app, shard }: { readonly app: string; readonly shard: number },
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const args = candidates.map(({ stored }) => stored.objectId);
  const found = (await runScript(redis, existScript, { keys: [keys.records(app, shard)], args })) as readonly number[];
  return candidates.filter((_, i) => found[i] === 0);
}
