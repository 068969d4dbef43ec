import { type VendorChannel } from '@pushfleet/channel-kit';
import { type PushRecords } from '@pushfleet/store';
import { jsonAnswer } from '../http/answer';
import { type Authenticate } from '../http/authenticate';
import { type Endpoint } from '../http/endpoint';
import { paramOf } from '../http/param';
import { queryOf, rangeOf } from '../http/query';
import { openNotificationView } from '../notification-view';

export interface NotificationPorts {
  readonly authenticate: Authenticate;
  readonly pushes: Pick<PushRecords, 'find' | 'list'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
}

export interface NotificationEndpoints {
  readonly list: Endpoint;
  readonly get: Endpoint;
}

export function notificationEndpoints({ authenticate, pushes, channels }: NotificationPorts): NotificationEndpoints {
  const view = openNotificationView(channels);
  return {
    list: {
      route: 'notifications',
      async handle(req) {
        const { app } = await authenticate(req.headers);
        const { limit, skip } = rangeOf(queryOf(req));
        const records = await pushes.list(app.id, { limit, skip });
        return jsonAnswer(200, { results: records.map((record) => view([record])) });
      },
    },
    get: {
      route: 'notification',
      async handle(req) {
        const { app } = await authenticate(req.headers);
        return jsonAnswer(200, view(await pushes.find(app.id, paramOf(req, 'id'))));
      },
    },
  };
}
