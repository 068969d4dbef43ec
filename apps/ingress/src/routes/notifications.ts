import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  InvalidInput,
  clientPushView,
  FROM_SERVICES,
  mergeRecords,
  PUSH_STATUSES,
  pushView,
  type PushRecord,
  type PushService,
  type PushStatus,
} from '@pushfleet/domain';
import {
  isPushId,
  PUSH_CURSOR,
  pushCursorOf,
  readPushCursor,
  type PushPosition,
  type PushRecords,
  type Waits,
} from '@pushfleet/store';
import { type CancelPush } from '../cancel-push';
import { jsonAnswer, NOTHING } from '@pushfleet/http-edge';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { rangeOf } from '../http/query';
import { instantIn } from '../http/strict-query';
import { notOpened } from '../http/rights';

export interface NotificationPorts {
  readonly pushes: Pick<PushRecords, 'find' | 'filter'>;
  readonly waits: Waits;
  readonly cancelPush: CancelPush;
  readonly channels: Readonly<Record<string, VendorChannel>>;
}

export interface NotificationEndpoints {
  readonly list: ApiEndpoint;
  readonly get: ApiEndpoint;
  readonly cancel: ApiEndpoint;
}

/** Records as the 1.1 API shows them: those of cancelled pushes are gone for it. */
export function notificationEndpoints({
  pushes,
  waits,
  cancelPush,
  channels,
}: NotificationPorts): NotificationEndpoints {
  const vendors = Object.values(channels);
  return {
    list: {
      route: 'notifications',
      countsAs: 'query',
      async handle({ caller, query }) {
        const { limit, skip } = rangeOf(query);
        const wanted = {
          service: serviceOf(query),
          status: statusOf(query),
          from: timeOf(query, 'from'),
          to: timeOf(query, 'to'),
          after: afterOf(query),
        };
        const { results, end } = await pushes.filter(caller.app.id, { limit, skip, ...wanted, isLiveOnly: true });
        const records = await waits.tell(results);
        const more = end && results.length < limit ? { cursor: pushCursorOf(end) } : {};
        return jsonAnswer(200, { results: records.map((record) => pushView(record, vendors)), ...more });
      },
    },
    get: {
      route: 'notification',
      countsAs: 'query',
      async handle(call) {
        const { app, isMaster } = call.caller;
        const isOpen = isMaster || app.pushQueries;
        if (!isOpen && !isPushId(call.param('id'))) throw notOpened('pushQueries');
        const records = await pushes.find(app.id, call.param('id'));
        const record = mergeRecords(await waits.tell(records.filter(({ isCancelled }) => isCancelled !== true)));
        if (!record) return NOTHING;
        if (isOpen) return jsonAnswer(200, pushView(record, vendors));
        requireObjectId(record, call);
        return jsonAnswer(200, clientPushView(record, vendors));
      },
    },
    cancel: {
      route: 'notification',
      async handle(call) {
        const app = call.caller.app.id;
        return jsonAnswer(200, await cancelPush(app, await pushes.find(app, call.param('id'))));
      },
    },
  };
}

/** Senders choose their notification ids, so that others can guess them; an objectId is known to who pushed. */
function requireObjectId({ objectId }: PushRecord, call: ApiCall): void {
  if (call.param('id') !== objectId) throw notOpened('pushQueries');
}

function statusOf(query: URLSearchParams): PushStatus | undefined {
  const text = query.get('status');
  if (text === null || text === '') return undefined;
  const status = PUSH_STATUSES.find((known) => known === text);
  if (status === undefined)
    throw new InvalidInput('invalid-query', `status: must be one of ${PUSH_STATUSES.join(', ')}`);
  return status;
}

/** Pushes that a chat server asked for are listed apart. */
function serviceOf(query: URLSearchParams): PushService | undefined {
  const text = query.get('from-service') ?? 'push';
  if (text === 'rtm') return text;
  if (text === 'push' || text === '') return undefined;
  throw new InvalidInput('invalid-query', `from-service: must be one of ${FROM_SERVICES.join(', ')}`);
}

function afterOf(query: URLSearchParams): PushPosition | undefined {
  const text = query.get('cursor');
  if (text === null || text === '') return undefined;
  if (!PUSH_CURSOR.test(text)) throw new InvalidInput('invalid-query', 'cursor: is not one of ours');
  return readPushCursor(text);
}

/** A date, or milliseconds since the epoch. */
function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const at = instantIn(text);
  if (Number.isNaN(at)) throw new InvalidInput('invalid-query', `${name}: must be an ISO 8601 date`);
  return at;
}
