import { type ApiRoute } from './http/api-routes';
import { type ApiEndpoint } from './http/api-call';
import { openCancelPush } from './cancel-push';
import { type IngressPorts } from './app';
import { openAcceptPush } from './accept-pushes';
import { openProfileWarnings } from './profile-warnings';
import { openTakePush } from './take-push';
import { batchEndpoints, type BatchPorts } from './routes/batch';
import { cloudQueryEndpoint } from './routes/cloud-query';
import { dateEndpoint } from './routes/date';
import { installationEndpoints } from './routes/installations';
import { notificationEndpoints } from './routes/notifications';
import { devicePushEndpoint, pushEndpoint } from './routes/push';
import { scanEndpoint } from './routes/scan';
import { scheduledPushEndpoints } from './routes/scheduled-pushes';

const INSTALLATIONS = ['/1.1/installations', '/1.1/classes/_Installation'];
const RECORDS = ['/1.1/notifications/:id', '/1.1/tables/Notifications/:id'];

/** Every route of the 1.1 API, the busiest first. */
export function apiRoutes(ports: IngressPorts, batch: Omit<BatchPorts, 'routes'>): readonly ApiRoute[] {
  const single = [...pushRoutes(ports), ...installationRoutes(ports), ...recordRoutes(ports)];
  const { batch: many, save } = batchEndpoints({ ...batch, routes: single });
  return [...single, post('/1.1/batch', many), post('/1.1/batch/save', save)];
}

const post = (path: string, endpoint: ApiEndpoint): ApiRoute => ({ method: 'POST', path, endpoint });
const get = (path: string, endpoint: ApiEndpoint): ApiRoute => ({ method: 'GET', path, endpoint });
const put = (path: string, endpoint: ApiEndpoint): ApiRoute => ({ method: 'PUT', path, endpoint });
const remove = (path: string, endpoint: ApiEndpoint): ApiRoute => ({ method: 'DELETE', path, endpoint });

function pushRoutes({ store, queues, channels, now, metrics, tracing, log }: IngressPorts): readonly ApiRoute[] {
  const acceptPush = openAcceptPush({
    acceptPushes: (group, onNamed) => store.acceptPushes(group, onNamed),
    ...queues,
    now,
    onCommit: metrics.committed,
    tracing,
  });
  const { profiles, schedule, quotas } = store;
  const takePush = openTakePush({ acceptPush, profiles, schedule, quotas, now });
  const onUnreadable = (err: unknown): void => log.warn({ err }, 'a profile cannot be read for warnings');
  const profileWarnings = openProfileWarnings({ profiles, channels, now, onUnreadable });
  const push = { takePush, profileWarnings, channels, now };
  return [post('/1.1/push', pushEndpoint(push)), post('/1.1/push/devices', devicePushEndpoint(push))];
}

function installationRoutes({ store, now, publicUrl }: IngressPorts): readonly ApiRoute[] {
  const { installations } = store;
  const endpoints = installationEndpoints({ installations, now, publicUrl });
  return [
    ...INSTALLATIONS.flatMap((path) => [
      post(path, endpoints.create),
      put(`${path}/:id`, endpoints.update),
      get(`${path}/:id`, endpoints.get),
      get(path, endpoints.find),
      remove(`${path}/:id`, endpoints.remove),
    ]),
    get('/1.1/scan/classes/_Installation', scanEndpoint({ installations, now })),
    get('/1.1/cloudQuery', cloudQueryEndpoint({ installations })),
    get('/1.1/date', dateEndpoint({ now })),
  ];
}

function recordRoutes({ store, queues, channels, now }: IngressPorts): readonly ApiRoute[] {
  const { pushes, schedule } = store;
  const cancelPush = openCancelPush({ pushes, schedule, requests: queues.requests, now });
  const notifications = notificationEndpoints({ pushes, cancelPush, channels });
  const scheduled = scheduledPushEndpoints({ schedule, cancelPush });
  return [
    get('/1.1/notifications', notifications.list),
    ...RECORDS.flatMap((path) => [get(path, notifications.get), remove(path, notifications.cancel)]),
    get('/1.1/scheduledPushMessages', scheduled.list),
    remove('/1.1/scheduledPushMessages/:id', scheduled.cancel),
  ];
}
