import { adviceFor, InvalidInput, OWN_CHANNEL, type JsonObject, type Reason } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import { type InstallationStore, type OutcomeRow, type PushRecords, type Store } from '@pushfleet/store';
import { type ApiEndpoint } from '../http/api-call';
import { Refusal } from '../http/problem';
import { formatOutcomeCursor, outcomeQueryOf } from './outcome-query';

export interface OutcomePorts {
  readonly pushes: Pick<PushRecords, 'find'>;
  readonly outcomes: Pick<Store['outcomes'], 'page'>;
  readonly installations: Pick<InstallationStore, 'installationIds'>;
}

/** What became of every device of a push, as it was booked; of a cancelled push too. */
export function outcomesEndpoint(ports: OutcomePorts): ApiEndpoint {
  return {
    route: 'outcomes',
    countsAs: 'query',
    lane: 'query',
    async handle(call) {
      const { app } = call.caller;
      const { from, ...wanted } = outcomeQueryOf(call.query);
      const records = await ports.pushes.find(app.id, call.param('id'));
      if (records.length === 0)
        throw new Refusal('record-missing', 'The app has no push of this id, or none any more.');
      const pushIds = records.map(({ objectId }) => objectId).sort();
      if (from && !pushIds.includes(from.pushId))
        throw new InvalidInput('invalid-query', 'cursor: must be one that a page of this push answered');
      const { rows, next, isComplete } = await ports.outcomes.page({ pushIds, from, ...wanted });
      const toAddresses = new Set(records.filter((one) => one.isToDevices).map(({ objectId }) => objectId));
      const named = rows.flatMap((row) => ('objectId' in row ? [row.objectId] : []));
      const known = await ports.installations.installationIds(app.id, named);
      const results = rows.map((row) => ({ ...deviceOf(row, { known, toAddresses }), ...outcomeOf(row) }));
      return jsonAnswer(200, { results, cursor: next ? formatOutcomeCursor(next) : null, complete: isComplete });
    },
  };
}

interface Names {
  readonly known: ReadonlyMap<string, string | undefined>;
  /** Pushes that name their devices by address. */
  readonly toAddresses: ReadonlySet<string>;
}

function deviceOf(row: OutcomeRow, { known, toAddresses }: Names): JsonObject {
  if ('count' in row) return { count: row.count };
  const { objectId, channel, pushId } = row;
  if (known.has(objectId)) {
    const installationId = known.get(objectId);
    return { objectId, ...(installationId === undefined ? {} : { installationId }) };
  }
  return toAddresses.has(pushId) && channel !== OWN_CHANNEL ? { registrationId: objectId } : { objectId, gone: true };
}

function outcomeOf({ channel, outcome, reason, vendorCode, vendorMessage, at }: OutcomeRow): JsonObject {
  return {
    ...{ channel, outcome },
    ...(reason === undefined ? {} : { reason }),
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(vendorMessage === undefined ? {} : { vendorMessage }),
    ...(reason === undefined ? {} : { action: adviceFor(reason as Reason) }),
    at: new Date(at).toISOString(),
  };
}
