import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { anInstallation, redisHarness, unique, until } from '@pushfleet/testing';
import { FUZZ_SEED, runFuzz, runRawFuzz, runSlowFuzz } from '@pushfleet/testing/fuzz';
import { answerPreflights } from './testing/answer-preflights';
import { openIngress, type Ingress } from './testing/ingress-harness';

const harness = redisHarness();
const receiptKey = unique('receipt');
const RECEIPT_ROUTE = 'POST /push/v1/callback/:channel/:appId/:profile/:key';
let ingress: Ingress;
let objectId = '';
let pushId = '';

beforeAll(async () => {
  ingress = await openIngress(harness);
  for (const [channel, value] of Object.entries(simulatorProfiles))
    await ingress.store.profiles.put({ app: ingress.app.id, channel, profile: '_default' }, { value, receiptKey });
  const created = await ingress.call('POST', '/1.1/installations', { body: anInstallation({ channels: ['a'] }) });
  objectId = (created.body as { objectId: string }).objectId;
  const pushed = await ingress.call('POST', '/1.1/push', { body: { data: { alert: 'a' } } });
  pushId = (pushed.body as { objectId: string }).objectId;
  const beat = () => ingress.store.gateways.beat({ id: 'g', urls: ['ws://127.0.0.1:1'], isDraining: false });
  await beat();
  const timer = setInterval(() => void beat(), 2000);
  harness.onClose(() => clearInterval(timer));
  await answerPreflights(harness);
});

const SECTIONS = {
  hms: {
    ...{ category: 'IM', action: { type: 1, param: { intent: 'i' } }, msg: { type: 3, body: { title: 't' } } },
    message: { android: { notification: { click_action: { type: 1, intent: 'i' } } } },
  },
  honor: { targetUserType: 1, android: { notification: { clickAction: { type: 2, url: 'u' } } } },
  oppo: { click_action_type: 4, click_action_activity: 'a', channel_id: 'c' },
  ...{ vivo: { pushMode: 1, extra: { a: 'b' } }, mi: { extra: { sound_uri: 's' }, notify_type: 1 } },
  mz: { noticeBarInfo: { title: 't' }, clickTypeInfo: { clickType: 1, activity: 'a' }, pushTimeInfo: { validTime: 1 } },
};
const PUSH = {
  ...{ data: { alert: 'a', title: 'b', badge: 3, k: { v: [1] }, ...SECTIONS }, channels: ['a'] },
  ...{ where: { vendor: { $in: ['HMS'] }, level: { $gte: 3 } }, expiration_interval: 60, req_id: 'a1' },
  ...{ push_time: '2026-01-01T00:00:00.000Z', flow_control: 1000, prod: 'prod', notification_id: 'n1' },
};
const INSTALLATION = {
  ...{ deviceType: 'android', installationId: 'i1', channels: { __op: 'AddUnique', objects: ['a'] }, vendor: 'HMS' },
  ...{ registrationId: 'r1', badge: { __op: 'Increment', amount: 1 }, deviceProfile: 'p1', valid: true },
};

const bodies = (): Readonly<Record<string, unknown>> => ({
  'POST /1.1/push': PUSH,
  'POST /1.1/push/devices': { ...PUSH, device_type: 'android', vendor: 'HMS', device_ids: ['r1', 'r2'] },
  'POST /1.1/push/installations': { data: PUSH.data, push_time: PUSH.push_time, installation_ids: ['i1', 'i2'] },
  'POST /1.1/installations': INSTALLATION,
  'POST /1.1/classes/_Installation': INSTALLATION,
  'PUT /1.1/installations/:id': INSTALLATION,
  'PUT /1.1/classes/_Installation/:id': INSTALLATION,
  'POST /1.1/batch': {
    requests: [
      { method: 'POST', path: '/1.1/push', body: PUSH },
      { method: 'GET', path: '/1.1/installations', params: { where: { vendor: 'HMS' }, limit: 1 } },
      { method: 'PUT', path: `/1.1/installations/${objectId}`, body: INSTALLATION },
    ],
  },
  'POST /1.1/batch/save': { requests: [{ method: 'POST', path: '/1.1/installations', body: INSTALLATION }] },
  [RECEIPT_ROUTE]: {
    ...{ statuses: [{ token: 'r1', status: 0, biTag: 'p', appid: '1', requestId: 'q', timestamp: 1 }], data: '{}' },
    ...{ cb: { access: 1 }, list: [{ registrationId: 'r', messageId: 'm', taskId: 't', param: 'p' }] },
  },
});

test(`whatever is sent to whatever route is answered, as JSON, and never as a fault (seed ${FUZZ_SEED})`, async () => {
  const report = await runFuzz({
    ...{ url: ingress.url, routes: ingress.routes, bodies: bodies() },
    headers: { 'x-lc-id': ingress.app.id, 'x-lc-key': `${ingress.app.masterKey},master` },
    witness: pushToOne,
    ownForm: /^\/push\/v1\/callback\//,
    query: [
      'where',
      'order',
      'limit',
      'skip',
      'keys',
      'count',
      'cursor',
      'since',
      'cql',
      'pvalues',
      'status',
      'from',
      'to',
      'new',
    ],
    parameters: {
      ...{ id: [objectId, pushId, `${objectId},${pushId}`], profile: ['_default'], key: [receiptKey] },
      ...{ appId: [ingress.app.id], channel: Object.keys(simulatorProfiles) },
    },
  });
  expect([...report.statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  expect(report.heapGrowth).toBeLessThan(32 * 1024 * 1024);
  expect(report.peakGrowth).toBeLessThan(512 * 1024 * 1024);
}, 240_000);

/** As another sender does, who tries again while Redis is kept from answering: that counts as waiting. */
async function pushToOne(): Promise<void> {
  const body = { where: { objectId }, data: { alert: 'a' } };
  await until(async () => (await ingress.call('POST', '/1.1/push', { body })).status === 200, { timeoutMs: 60_000 });
}

test('heads and bodies that drip keep nobody waiting', async () => {
  const head = (length: number): string =>
    `POST /1.1/batch HTTP/1.1\r\nHost: x\r\nX-LC-Id: ${ingress.app.id}\r\nX-LC-Key: ${ingress.app.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
  const heads = [head(2_000_000), head(500), 'POST /1.1/batch HTTP/1.1\r\nHost: x\r\nX-', 'G'];
  await runSlowFuzz({ url: ingress.url, heads, witness: pushToOne });
});

test(`bytes that are hardly HTTP are answered or cut off (seed ${FUZZ_SEED})`, async () => {
  const statuses = await runRawFuzz(ingress.url);
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(10);
});
