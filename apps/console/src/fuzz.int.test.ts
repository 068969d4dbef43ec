import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { anApp, startPushApi, type PushApi } from '@pushfleet/testing';
import { FUZZ_SEED, runFuzz, runRawFuzz } from '@pushfleet/testing/fuzz';
import { openPushApi } from './push-api';
import { ADMIN_TOKEN, consoleHarness } from './testing/console-harness';
import { writePages } from './testing/write-pages';

const pages = mkdtempSync(join(tmpdir(), 'pages-'));
writePages(pages);
afterAll(() => rmSync(pages, { recursive: true }));
let api: PushApi;
beforeAll(async () => (api = await startPushApi()));
afterAll(() => api.stop());
const harness = consoleHarness({
  ports: { pages, pushApi: { ask: (app, call) => openPushApi(api.url).ask(app, call) } },
});

const PROFILE = '/apps/:id/profiles/:channel/:profile';
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /apps': { name: 'n', edition: 'commercial', id: 'anIdOfMine', key: 'k'.repeat(24), masterKey: 'm'.repeat(24) },
  'PATCH /apps/:id': {
    name: 'n',
    edition: 'commercial',
    hybrid: true,
    limits: { callsPerMinute: 1 },
    overlong: 'reject',
  },
  'POST /apps/:id/keys': { which: 'key' },
  [`PUT ${PROFILE}`]: simulatorProfiles.hms,
  [`POST ${PROFILE}/test`]: {},
  'POST /apps/:id/installations/import': {
    installations: [{ objectId: 'o1', deviceType: 'android', channels: ['a'] }],
  },
  'POST /imports/users': { users: [{ user_id: 'u', name: 'n', avatar: '', gender: 1, is_guest: false }] },
  'PUT /users/:userId': { name: 'n', avatar: 'https://a.example', gender: 1, is_guest: false },
  'PUT /clients/:clientId': { name: 'n' },
  'POST /users/:userId/tokens/:clientId': { mac_algorithm: 'hmac-sha-1' },
  'POST /users/:userId/security-change': {},
  'PUT /users/:userId/blocks/:clientId': {},
};
const underApi = (route: string): string => route.replace(' ', ' /api/v1');

test(`whatever is sent to whatever route is answered, as JSON, and never as a fault (seed ${FUZZ_SEED})`, async () => {
  const app = anApp();
  await harness.store.apps.create(app);
  const report = await runFuzz({
    url: harness.url,
    routes: [...harness.routes.map(({ method, path }) => `${method} ${path}`), 'GET /api/v1/nothing/:anything'],
    bodies: Object.fromEntries(Object.entries(BODIES).map(([route, body]) => [underApi(route), body])),
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    query: ['limit', 'installationId', 'where', 'status', 'from', 'to', 'cursor'],
    parameters: { id: [app.id], channel: ['hms', 'mi'], profile: ['_default', 'p1'], userId: ['u1'], clientId: ['c1'] },
  });
  expect([...report.statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  expect(report.heapGrowth).toBeLessThan(64 * 1024 * 1024);
}, 240_000);

test(`bytes that are hardly HTTP are answered or cut off (seed ${FUZZ_SEED})`, async () => {
  await runRawFuzz(harness.url);
});
