import { channelsOf, groupBy } from '@pushfleet/domain';
import { luaScript } from '../../kit/lua/script';
import { shardOf } from '../../kit/shards';
import { atOnce } from '../at-once';
import { bytesOf } from '../ceiling/bytes-of';
import { idsIn } from '../identity/ids';
import { openTurn } from '../in-turns';
import { encodeInstallation } from '../stored';
import type { Writer } from '../write';
import { candidateOf, type Candidate, type ImportedInstallation, type ImportTimes } from './candidate';
import { importOne, type ImportOutcome } from './import-one';
import { insertMany } from './insert-many';

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
  const found = await insertMany(
    writer,
    app,
    distinct.map(([, candidate]) => candidate),
  );
  const outcomes: ImportOutcome[] = [];
  const look = async ([row, candidate]: Numbered): Promise<void> => {
    outcomes[row] = await importOne(writer, app, candidate);
  };
  const closerLooks: (() => Promise<void>)[] = [];
  distinct.forEach((one, i) => {
    const outcome = found[i] ?? 'contested';
    if (outcome === 'created' || outcome === 'unchanged') outcomes[one[0]] = outcome;
    else closerLooks.push(() => look(one));
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
    for (const { kind, value } of idsIn(doc)) {
      isNew &&= !seen[kind].has(value);
      seen[kind].add(value);
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
  let bytes = 0;
  const turn = openTurn();
  for (const one of stored) {
    if (turn.isOver()) await turn.pause();
    bytes += bytesOf(encodeInstallation(one, undefined), { channels: channelsOf(one.doc) });
  }
  await writer.room.take(app, { installations: stored.length, bytes });
}

const whichExist = luaScript('installations/which-exist', {
  params: { records: 'key', ids: 'texts' },
  answer: (raw: readonly number[]): readonly boolean[] => raw.map((one) => one === 1),
});

async function withoutRecord(
  { redis, keys }: Writer,
  { app, shard }: { readonly app: string; readonly shard: number },
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const ids = candidates.map(({ stored }) => stored.objectId);
  const found = await whichExist(redis, { records: keys.records(app, shard), ids });
  return candidates.filter((_, i) => found[i] !== true);
}
