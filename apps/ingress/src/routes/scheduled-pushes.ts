import { type JsonObject, type PushRecord } from '@pushfleet/domain';
import { type PushSchedule } from '@pushfleet/store';
import { type CancelPush } from '../cancel-push';
import { jsonAnswer } from '@pushfleet/http-edge';
import { type ApiEndpoint } from '../http/api-call';
import { rangeOf } from '../http/query';

export interface ScheduledPushPorts {
  readonly schedule: Pick<PushSchedule, 'list' | 'find'>;
  readonly cancelPush: CancelPush;
}

export interface ScheduledPushEndpoints {
  readonly list: ApiEndpoint;
  readonly cancel: ApiEndpoint;
}

export function scheduledPushEndpoints({ schedule, cancelPush }: ScheduledPushPorts): ScheduledPushEndpoints {
  return {
    list: {
      route: 'scheduled-pushes',
      async handle({ caller, query }) {
        const records = await schedule.list(caller.app.id, rangeOf(query));
        return jsonAnswer(200, { results: records.map(scheduledView) });
      },
    },
    cancel: {
      route: 'scheduled-pushes',
      async handle(call) {
        const app = call.caller.app.id;
        const id = call.param('id');
        // Its number, or the id of the push that the list has beside it: told of no fault, its caller would let the push go out.
        const record = await schedule.find(app, /^\d{1,15}$/.test(id) ? Number(id) : id);
        return jsonAnswer(200, await cancelPush(app, record ? [record] : []));
      },
    },
  };
}

/** LeanCloud push REST guide, scheduled pushes: the condition stands as it will be asked. */
function scheduledView(record: PushRecord): JsonObject {
  const { objectId, notificationId, app, prod, msg, where, pushTime, createdAt, number = 0 } = record;
  return {
    id: number,
    expire_time: pushTime,
    push_msg: {
      'app-id': app,
      where: { sort: { createdAt: 1 }, query: { ...where, valid: true } },
      prod,
      'api-version': '1.1',
      msg,
      id: objectId,
      notificationId,
    },
    createdAt: new Date(createdAt).toISOString(),
  };
}
