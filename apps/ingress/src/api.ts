import { sectionParsers } from '@pushfleet/channel-kit';
import { traitsOf } from '@pushfleet/domain';
import { type ApiRoute } from './http/api-routes';
import { type ApiEndpoint } from './http/api-call';
import { type RunInLane } from './http/lanes';
import { withQuota, type QuotaPorts } from './http/quotas';
import {
  INSTALLATION_FIND,
  INSTALLATION_QUERY,
  INSTALLATION_SAVE,
  PUSH,
  PUSH_QUERY,
  withRight,
  type Right,
} from './http/rights';
import { openCancelPush } from './cancel-push';
import { type IngressPorts } from './ports';
import { openAcceptPush } from './accept-pushes';
import { openPlanAtOnce } from './plan-at-once';
import { openColumnWarnings } from './column-warnings';
import { openProfileWarnings } from './profile-warnings';
import { openCostOf } from './push-cost';
import { openTakePush } from './take-push';
import { batchEndpoints, type BatchPorts } from './routes/batch';
import { cloudQueryEndpoint } from './routes/cloud-query';
import { DATE_PATH, dateEndpoint } from './routes/date';
import { installationEndpoints } from './routes/installations';
import { messagingEndpoints, type MessagingPorts } from './routes/messaging';
import { notificationEndpoints } from './routes/notifications';
import { outcomesEndpoint } from './routes/outcomes';
import { openPreflight } from './preflight/preflight';
import { preflightStateEndpoint } from './routes/preflight';
import { pushEndpoints } from './routes/push';
import { retiredEndpoint } from './routes/retired';
import { scanEndpoint } from './routes/scan';
import { scheduledPushEndpoints } from './routes/scheduled-pushes';

const INSTALLATIONS = ['/1.1/installations', '/1.1/classes/_Installation'];
const CONVERSATION = '/1.2/rtm/conversations/:id';
const INSTALLATION_OF_CLIENT = '/1.2/rtm/clients/:clientId/installations/:installationId';
const RECORDS = ['/1.1/notifications/:id', '/1.1/tables/Notifications/:id'];

type EdgePorts = QuotaPorts & Omit<BatchPorts, 'routes' | 'onPush'>;

/** Every route of the 1.1 API, the busiest first. */
export function apiRoutes(ports: IngressPorts, edge: EdgePorts): readonly ApiRoute[] {
  const { countPush, countByAddress, runInLane, refuse } = edge;
  const rows = [
    ...pushRoutes(ports, runInLane),
    ...installationRoutes(ports, countByAddress),
    ...recordRoutes(ports, runInLane),
  ];
  const single = rows.map((row) => ({
    ...row,
    endpoint: withRight(row.right, withQuota(row.endpoint, { countPush, countByAddress })),
  }));
  const { batch: many, save } = batchEndpoints({
    refuse,
    runInLane,
    routes: single,
    onPush: ports.metrics.pushAnswered,
  });
  return [...single, post('/1.1/batch', 'app-key', many), post('/1.1/batch/save', 'app-key', save)];
}

type Row = (path: string, right: Right, endpoint: ApiEndpoint) => ApiRoute;

const row =
  (method: ApiRoute['method']): Row =>
  (path, right, endpoint) => ({ method, path, right, endpoint });

const post = row('POST');
const get = row('GET');
const put = row('PUT');
const remove = row('DELETE');

function pushRoutes(ports: IngressPorts, runInLane: RunInLane): readonly ApiRoute[] {
  const { store, queues, channels, now, metrics, tracing, log, publicUrl } = ports;
  const acceptPush = openAcceptPush({
    acceptPushes: (group, onNamed) => store.acceptPushes(group, onNamed),
    ...queues,
    now,
    onCommit: metrics.committed,
    tracing,
  });
  const { profiles, schedule, quotas, pushRoom, installations } = store;
  const traits = traitsOf(Object.values(channels));
  const planAtOnce = openPlanAtOnce({
    installations,
    profiles,
    traits,
    onUnplanned: (err) => log.warn({ err }, 'a push is left to the dispatcher'),
  });
  const costOf = openCostOf(installations.channels);
  const takePush = openTakePush({ acceptPush, costOf, planAtOnce, profiles, schedule, quotas, pushRoom, now });
  const onUnreadable = (err: unknown): void => log.warn({ err }, 'a profile cannot be read for warnings');
  const profileWarnings = openProfileWarnings({ profiles, channels, now, onUnreadable });
  const preflight = openPreflight({ store, profileWarnings, channels, now, publicUrl, onUnreadable });
  const columnWarnings = openColumnWarnings(installations.columnNames);
  const sections = sectionParsers(Object.values(channels));
  const endpoints = pushEndpoints({
    takePush,
    preflight,
    profileWarnings,
    columnWarnings,
    channels,
    sections,
    now,
  });
  return [
    post('/1.1/push', PUSH, endpoints.push),
    post('/1.1/push/devices', PUSH, endpoints.devices),
    post('/1.1/push/installations', 'master-key', endpoints.installations),
    post('/1.1/push/preflight', 'master-key', endpoints.preflight),
    get('/1.1/push/preflight/:id', 'master-key', preflightStateEndpoint(preflight)),
    ...messagingRoutes(ports, { acceptPush, traits, sections, runInLane }),
  ];
}

function messagingRoutes(
  { store, now, offlineMessageRetentionMs: keepMs }: IngressPorts,
  pushing: Pick<MessagingPorts, 'acceptPush' | 'traits' | 'sections' | 'runInLane'>,
): readonly ApiRoute[] {
  const { installations, profiles, quotas, pushRoom, messaging } = store;
  const endpoints = messagingEndpoints({
    ...pushing,
    ...messaging,
    installations,
    profiles,
    quotas,
    pushRoom,
    now,
    keepMs,
  });
  return [
    post(`${CONVERSATION}/offline-messages`, 'master-key', endpoints.offlineMessage),
    post(`${CONVERSATION}/mutes`, 'master-key', endpoints.mute),
    remove(`${CONVERSATION}/mutes`, 'master-key', endpoints.unmute),
    get(`${CONVERSATION}/mutes`, 'master-key', endpoints.mutes),
    put(INSTALLATION_OF_CLIENT, 'master-key', endpoints.bind),
    remove(INSTALLATION_OF_CLIENT, 'master-key', endpoints.unbind),
  ];
}

function installationRoutes(
  { store, now, publicUrl, log, metrics }: IngressPorts,
  countByAddress: QuotaPorts['countByAddress'],
): readonly ApiRoute[] {
  const { installations } = store;
  const endpoints = installationEndpoints({
    installations,
    countByAddress,
    now,
    publicUrl,
    log,
    onRegistrationsMoved: metrics.registrationsMoved,
  });
  return [
    ...INSTALLATIONS.flatMap((path) => [
      post(path, INSTALLATION_SAVE, endpoints.create),
      put(`${path}/:id`, INSTALLATION_SAVE, endpoints.update),
      get(`${path}/:id`, 'app-key', endpoints.get),
      get(path, INSTALLATION_FIND, endpoints.find),
      remove(`${path}/:id`, 'master-key', endpoints.remove),
    ]),
    get('/1.1/scan/classes/_Installation', INSTALLATION_QUERY, scanEndpoint({ installations, now })),
    get('/1.1/cloudQuery', INSTALLATION_QUERY, cloudQueryEndpoint({ installations })),
    get(DATE_PATH, 'app-key', dateEndpoint({ now })),
  ];
}

function recordRoutes({ store, queues, channels, now }: IngressPorts, runInLane: RunInLane): readonly ApiRoute[] {
  const { pushes, schedule } = store;
  const cancelPush = openCancelPush({ pushes, schedule, requests: queues.requests, now });
  const notifications = notificationEndpoints({ pushes, waits: store.waits, cancelPush, channels });
  const outcomes = outcomesEndpoint({ ...store, runInLane });
  const scheduled = scheduledPushEndpoints({ schedule, cancelPush });
  return [
    get('/1.1/notifications', PUSH_QUERY, notifications.list),
    ...RECORDS.flatMap((path) => [
      get(path, 'app-key', notifications.get),
      remove(path, 'master-key', notifications.cancel),
    ]),
    get('/1.1/notifications/:id/devices', 'master-key', outcomes),
    get('/1.1/retired', 'master-key', retiredEndpoint({ installations: store.installations, now })),
    get('/1.1/scheduledPushMessages', 'master-key', scheduled.list),
    remove('/1.1/scheduledPushMessages/:id', 'master-key', scheduled.cancel),
  ];
}
