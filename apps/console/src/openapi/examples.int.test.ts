import type { OpenApiOperation, OpenApiParameter } from '@pushfleet/http-edge';
import { operationsOf } from '@pushfleet/http-edge/testing';
import { startPushApi, unique, type PushApi } from '@pushfleet/testing';
import { openPushApi } from '../push-api';
import { consoleHarness } from '../testing/console-harness';
import { openApiDocument } from './document';

let pushApi: PushApi;
const admin = consoleHarness({ ports: { pushApi: { ask: (app, call) => openPushApi(pushApi.url).ask(app, call) } } });
const ROOT = '/api/v1';

const PUSHED = { objectId: '6s0e6n2kqv1u8b3d', createdAt: '2026-11-21T08:30:00.000Z' };
const PREFLIGHT = { preflight: true, devices: 0, exact: true, channels: {}, warnings: [] };

beforeAll(async () => {
  pushApi = await startPushApi();
  pushApi.otherwise = (line) => {
    if (line.startsWith('DELETE')) return { cancelled: 0, sent: 0, outstanding: 0 };
    if (line.includes('/devices')) return { results: [], cursor: null, complete: true };
    return line.includes('preflight') ? PREFLIGHT : PUSHED;
  };
});
afterAll(() => pushApi.stop());

const idOf = async (answer: Promise<{ readonly body: Record<string, unknown> }>): Promise<string> =>
  String((await answer).body['id']);

async function aPush(app: string): Promise<string> {
  const content = { data: { alert: 'a' }, sections: {} };
  const text = { content, prod: 'prod', app, audience: {}, where: {} } as const;
  const times = { pushTime: Date.now(), expiresAt: Date.now() + 60_000, isScheduled: false };
  const [accepted] = await admin.store.acceptPushes([{ ...text, ...times }]);
  return accepted?.pushId ?? '';
}

/** Another one each time; to hash a password takes longer than all the rest. */
async function aPerson(): Promise<string> {
  const { persons } = admin.store.people;
  const name = unique('person');
  if (!(await persons.get('ann'))) {
    const ann = { name: 'ann', password: 'a sentence that is easy to keep', role: 'viewer' };
    await admin.call('POST', '/people', ann);
  }
  const ann = await persons.get('ann');
  if (ann) await persons.add(name, { ...ann, name });
  return name;
}

/** One of everything that an address may name. */
async function aPlace(): Promise<Readonly<Record<string, string>>> {
  const [userId, clientId, installationId] = [unique('user'), unique('client'), unique('device')];
  const id = await idOf(admin.call('POST', '/apps', { name: 'Examples', edition: 'commercial' }));
  await admin.call('PUT', `/users/${userId}`, { name: 'Ann' });
  await admin.call('PUT', `/clients/${clientId}`, { name: 'Game' });
  await admin.call('POST', `/apps/${id}/keys`, { which: 'key' });
  const mi = { appId: '1', appSecret: 'sim-secret', packageName: 'com.example.app' };
  await admin.call('PUT', `/apps/${id}/profiles/mi/_default`, mi);
  await admin.call('PUT', `/apps/${id}/indexes/user`);
  const row = { objectId: unique('object'), deviceType: 'android', installationId, vendor: 'mi', registrationId: 'r' };
  await admin.call('POST', `/apps/${id}/installations/import`, { rows: [row] });
  const name = await aPerson();
  const tokenId = await idOf(admin.call('POST', '/api-tokens', { name: 'ci', role: 'viewer' }));
  return {
    id,
    name,
    tokenId,
    userId,
    clientId,
    installationId,
    subject: 'sub-ann',
    preflightId: '0'.repeat(32),
    which: 'key',
    channel: 'mi',
    profile: '_default',
    column: 'user',
    pushId: await aPush(id),
  };
}

const exampleOf = (parameter: OpenApiParameter): readonly [string, string][] => {
  const { name, example } = parameter as OpenApiParameter & { readonly example?: string };
  return parameter.in === 'query' && example !== undefined ? [[name, example]] : [];
};

const bodyOf = ({ requestBody }: OpenApiOperation): unknown => requestBody?.content?.['application/json']?.example;

// There is no provider here; where there is one, its own tests begin a sign-in.
const ofTheApi = operationsOf(openApiDocument()).filter(
  ([path]) => path.startsWith(ROOT) && path !== `${ROOT}/session/oidc`,
);

test.each(ofTheApi)('%s %s takes its examples', async (path, method, operation) => {
  const place = await aPlace();
  const address = path.slice(ROOT.length).replace(/\{(\w+)\}/g, (_, name: string) => place[name] ?? '');
  const query = new URLSearchParams((operation.parameters ?? []).flatMap(exampleOf));
  const { status } = await admin.call(method.toUpperCase(), `${address}?${query}`, bodyOf(operation));
  expect(String(status)).toBe(Object.keys(operation.responses).find((code) => code.startsWith('2')));
});
