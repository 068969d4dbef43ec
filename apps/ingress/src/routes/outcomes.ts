import {
  adviceFor,
  chunksOf,
  InvalidInput,
  OWN_CHANNEL,
  vendorWords,
  type JsonObject,
  type PushRecord,
  type Reason,
} from '@pushfleet/domain';
import { jsonAnswer, openStreamTerm } from '@pushfleet/http-edge';
import { HalfPace } from '@pushfleet/service-kit';
import {
  type InstallationStore,
  type OutcomeCursor,
  type OutcomeRow,
  type PushRecords,
  type Store,
} from '@pushfleet/store';
import { type ApiEndpoint } from '../http/api-call';
import { accountOf, type RunInLane } from '../http/lanes';
import { Refusal } from '../http/problem';
import { formatOutcomeCursor, outcomeQueryOf, type OutcomeQuery } from './outcome-query';
import { NDJSON, outcomeStream, type OutcomesTold } from './outcome-stream';

export interface OutcomePorts {
  readonly pushes: Pick<PushRecords, 'find'>;
  readonly outcomes: Pick<Store['outcomes'], 'page'>;
  readonly installations: Pick<InstallationStore, 'installationIds'>;
  readonly runInLane: RunInLane;
}

/** Of a page, whose thousand installations are looked up: longer than others have, or a busy hour would end a long stream. */
const DEADLINE_MS = 15_000;

/** What became of every device of a push, as it was booked; of a cancelled push too. By pages, or all as a stream. */
export function outcomesEndpoint(ports: OutcomePorts): ApiEndpoint {
  const { pushes, runInLane } = ports;
  return {
    route: 'outcomes',
    countsAs: 'query',
    lane: 'query',
    deadlineMs: DEADLINE_MS,
    async handle(call) {
      const { app } = call.caller;
      const isStream = call.accepts(NDJSON);
      const { from, ...wanted } = outcomeQueryOf(call.query, isStream ? 'stream' : 'page');
      const records = await pushes.find(app.id, call.param('id'));
      if (records.length === 0)
        throw new Refusal('record-missing', 'The app has no push of this id, or none any more.');
      const read = openReading(ports, app.id, { records, ...wanted });
      const first = await read(from);
      if (isStream) {
        // Each page of it waits for its turn, like a query of its own.
        const requireTerm = openStreamTerm(() => call.judgeAgain());
        const readNext = async (at: OutcomeCursor) => {
          await requireTerm();
          return runInLane('query', call, () => read(at));
        };
        return outcomeStream({ account: accountOf(call.caller), first, read: readNext });
      }
      const { results, next, isComplete } = first;
      return jsonAnswer(200, { results, cursor: next ? formatOutcomeCursor(next) : null, complete: isComplete });
    },
  };
}

interface Reading extends Pick<OutcomeQuery, 'filter' | 'limit'> {
  /** Pushes that share a notification id. */
  readonly records: readonly PushRecord[];
}

function openReading(
  { outcomes, installations }: OutcomePorts,
  app: string,
  { records, ...wanted }: Reading,
): (from: OutcomeCursor | undefined) => Promise<OutcomesTold> {
  const pushIds = records.map(({ objectId }) => objectId).sort();
  const toAddresses = new Set(records.filter((one) => one.isToDevices).map(({ objectId }) => objectId));
  const pace = new HalfPace();
  return async (from) => {
    if (from && !pushIds.includes(from.pushId))
      throw new InvalidInput('invalid-query', 'cursor: must be one that a page of this push answered');
    const { rows, next, isComplete } = await outcomes.page({ pushIds, from, ...wanted });
    const outcomeOf = openOutcomes();
    const results: JsonObject[] = [];
    for (const some of chunksOf(rows, PORTION))
      await pace.portion(async () => {
        const named = some.flatMap((row) => ('objectId' in row ? [row.objectId] : []));
        const known = await installations.installationIds(app, named);
        for (const row of some) results.push(told(row, outcomeOf(row), { known, toAddresses }));
      });
    return { results, next, isComplete };
  };
}

/** Rows that are looked up together. */
const PORTION = 200;

interface Names {
  readonly known: ReadonlyMap<string, string | undefined>;
  /** Pushes that name their devices by address. */
  readonly toAddresses: ReadonlySet<string>;
}

function told(row: OutcomeRow, outcome: JsonObject, { known, toAddresses }: Names): JsonObject {
  if ('count' in row) return { count: row.count, ...outcome };
  const { objectId, channel, pushId } = row;
  const installationId = known.get(objectId);
  if (installationId !== undefined) return { objectId, installationId, ...outcome };
  if (known.has(objectId)) return { objectId, ...outcome };
  if (toAddresses.has(pushId) && channel !== OWN_CHANNEL) return { registrationId: objectId, ...outcome };
  return { objectId, gone: true, ...outcome };
}

/** Rows of one outcome stand behind each other, and share what is said of it. */
function openOutcomes(): (row: OutcomeRow) => JsonObject {
  let [before, outcome]: [OutcomeRow | undefined, JsonObject] = [undefined, {}];
  return (row) => {
    if (!before || SHARED.some((name) => row[name] !== before?.[name])) outcome = outcomeOf(row);
    before = row;
    return outcome;
  };
}

const SHARED = ['at', 'channel', 'outcome', 'reason', 'vendorCode', 'vendorMessage'] as const;

function outcomeOf(row: OutcomeRow): JsonObject {
  const { channel, outcome, reason, at } = row;
  return {
    channel,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...vendorWords(row),
    ...(reason === undefined ? {} : { action: adviceFor(reason as Reason) }),
    at: new Date(at).toISOString(),
  };
}
