import { LIMITS } from '@pushfleet/domain';
import { shardOf } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { openBrowser } from '../testing/browser';
import { ADMIN_TOKEN, consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();

interface Entry {
  readonly action: string;
  readonly target: string;
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>;
}

const entries = async (query = ''): Promise<readonly Entry[]> => {
  const { status, body } = await admin.call('GET', `/audit${query}`);
  expect(status).toBe(200);
  return body['results'] as readonly Entry[];
};

async function newApp(): Promise<{ id: string; key: string; masterKey: string }> {
  const { body } = await admin.call('POST', '/apps', { name: 'Shop', edition: 'commercial' });
  return body as { id: string; key: string; masterKey: string };
}

const MI = { appId: '2882303761', appSecret: 'first-secret-of-mi', packageName: 'com.example' };

it('tells who changed what of an app, from where, and never a key', async () => {
  const { id, key, masterKey } = await newApp();
  await admin.call('PATCH', `/apps/${id}`, { hybrid: true });
  const { body } = await admin.call('POST', `/apps/${id}/keys`, { which: 'masterKey' });
  const [rotated, changed, created] = await entries('?limit=3');
  const head = { at: expect.stringMatching(/^20\d\d-.*Z$/), by: 'admin-token', from: '127.0.0.1' };
  expect(created).toMatchObject({ ...head, action: 'createApp', target: '/apps', changes: { id: [null, id] } });
  expect(changed).toEqual({ ...head, action: 'changeApp', target: `/apps/${id}`, changes: { hybrid: [false, true] } });
  expect(rotated).toMatchObject({ action: 'replaceKey', changes: { masterKey: ['***', '*** (new)'] } });
  const log = JSON.stringify(await entries());
  for (const secret of [key, masterKey, body['masterKey'] as string]) expect(log).not.toContain(secret);
});

it('tells that a secret of a profile is another, and neither of both', async () => {
  const { id } = await newApp();
  const path = `/apps/${id}/profiles/mi/_default`;
  await admin.call('PUT', path, MI);
  await admin.call('PUT', path, { ...MI, appSecret: 'second-secret-of-mi' });
  await admin.call('PUT', path, { ...MI, appSecret: '***', channelId: '119' });
  await admin.call('DELETE', path);
  const [deleted, third, second, first] = await entries('?limit=4');
  expect(first?.changes).toMatchObject({ appSecret: [null, '*** (new)'], packageName: [null, 'com.example'] });
  expect(second?.changes).toEqual({ appSecret: ['***', '*** (new)'] });
  expect(third?.changes).toEqual({ channelId: [null, '119'] });
  expect(deleted).toMatchObject({ action: 'deleteProfile', target: path });
  expect(JSON.stringify(await entries())).not.toContain('secret-of-mi');
});

it('tells what was decided about channels, and which app went', async () => {
  const { id } = await newApp();
  await admin.call('POST', '/channels/hms/pause', { app: id });
  await admin.call('POST', '/channels/hms/resume', { app: id });
  await admin.call('DELETE', `/apps/${id}`);
  const [deleted, resumed, paused] = await entries('?limit=3');
  expect(paused).toMatchObject({ action: 'pauseChannel', changes: { app: [null, id], state: [null, 'paused'] } });
  expect(resumed).toMatchObject({ action: 'resumeChannel', changes: { app: [null, id], isLifted: [null, true] } });
  expect(deleted).toMatchObject({ action: 'deleteApp', target: `/apps/${id}` });
});

it('shows of a long value how long it is', async () => {
  const { id } = await newApp();
  const columns = Array.from({ length: 50 }, (_, i) => `aColumnWithALongName${i}`);
  await admin.call('PATCH', `/apps/${id}`, { masterOnly: { columns } });
  const [{ changes } = { changes: {} }] = await entries('?limit=1');
  expect(changes).toEqual({ masterOnly: [expect.anything(), expect.stringMatching(/^\(\d+ bytes\)$/)] });
});

it('does not tell of what was refused, nor of what changes nothing', async () => {
  const { id } = await newApp();
  const before = await entries();
  await admin.call('PATCH', `/apps/${id}`, { hybrid: 'yes' });
  await admin.call('PATCH', '/apps/none', { hybrid: true });
  await admin.call('GET', `/apps/${id}`);
  await admin.call('PUT', '/users/u1', { name: 'Ann' });
  expect(await entries()).toEqual(before);
});

it('tells what people do to users in the pages of the console, and no token', async () => {
  const browser = openBrowser(admin);
  await browser.signIn('nobody', ADMIN_TOKEN);
  await browser.call('PUT', '/users/u2', { name: 'Ann' });
  await browser.call('PUT', '/clients/c2', { name: 'Game' });
  const { body } = await browser.call('POST', '/users/u2/tokens/c2');
  await browser.call('POST', '/users/u2/security-change');
  const [ended, issued] = await entries('?limit=2');
  expect(ended).toMatchObject({ action: 'recordSecurityChange', target: '/users/u2/security-change' });
  expect(issued).toMatchObject({ action: 'issueToken', target: '/users/u2/tokens/c2' });
  expect(JSON.stringify(await entries())).not.toContain(String(body['mac_key']));
});

describe('of a call that fails', () => {
  it('tells what was decided before it failed, by whom', async () => {
    const { id } = await newApp();
    const breakers = `${admin.namespace}:channel:{channel:oppo}:breakers`;
    await admin.redis.set(breakers, 'not a list of breakers');
    const { status } = await admin.call('POST', '/channels/oppo/pause', { app: id });
    await admin.redis.del(breakers);
    const [entry] = await entries('?limit=1');
    expect(status).toBe(500);
    expect(await admin.store.pacing.controls.list('oppo')).toEqual([expect.objectContaining({ app: id })]);
    expect(entry).toMatchObject({ by: 'admin-token', action: 'pauseChannel', changes: { app: [null, id] } });
  });

  it('tells of an import that failed half way', async () => {
    const { id } = await newApp();
    const at = new Date().toISOString();
    const rowIn = (shard: number) => {
      const objectId = Array.from({ length: 10_000 }, (_, i) => `o${i}`).find((one) => shardOf(one) === shard);
      const device = { deviceType: 'android', vendor: 'mi', registrationId: `r${shard}`, valid: true };
      return { ...device, objectId, installationId: `i${shard}`, createdAt: at, updatedAt: at };
    };
    await admin.redis.hset(`${admin.namespace}:i:{${id}:1}:bytes`, 'no', 'number');
    const { status } = await admin.call('POST', `/apps/${id}/installations/import`, { rows: [rowIn(0), rowIn(1)] });
    const [entry] = await entries('?limit=1');
    expect(status).toBe(500);
    await until(() => admin.store.installations.inspect(id, 'i0'));
    expect(entry).toMatchObject({
      ...{ by: 'admin-token', target: `/apps/${id}/installations/import` },
      changes: { rows: [null, 2], outcome: [null, 'unknown'] },
    });
  });

  it('tells nothing of what did not take effect', async () => {
    const { id } = await newApp();
    const before = await entries('?limit=1');
    expect((await admin.call('PATCH', '/apps/nobody', { hybrid: true })).status).toBe(404);
    expect((await admin.call('DELETE', `/apps/${id}/replaced-keys/key`)).status).toBe(404);
    expect((await admin.call('DELETE', '/apps/nobody')).status).toBe(404);
    expect((await admin.call('PUT', `/apps/${id}/indexes/objectId`)).status).toBe(400);
    expect(await entries('?limit=1')).toEqual(before);
  });
});

it('is read page by page', async () => {
  await newApp();
  await newApp();
  const { body } = await admin.call('GET', '/audit?limit=1');
  const next = await entries(`?limit=1&cursor=${String(body['cursor'])}`);
  expect([...(body['results'] as Entry[]), ...next]).toEqual(await entries('?limit=2'));
  expect((await admin.call('GET', '/audit?cursor=x')).status).toBe(400);
});

describe('is searched', () => {
  it('by who, action, app and time', async () => {
    const [{ id }, other] = [await newApp(), await newApp()];
    await admin.call('PATCH', `/apps/${id}`, { hybrid: true });
    const decision = { at: Date.now(), by: 'person Ann', from: '127.0.0.1', changes: { app: [null, id] } } as const;
    await admin.store.auditLog.add({ ...decision, action: 'pauseChannel', target: '/channels/hms/pause' });
    await admin.store.auditLog.add({ ...decision, action: 'resumeChannel', target: '/channels/hms/resume' });
    const actions = async (query: string) => (await entries(`?${query}`)).map(({ action }) => action);
    expect(await actions(`app=${id}`)).toEqual(['resumeChannel', 'pauseChannel', 'changeApp', 'createApp']);
    expect(await actions(`app=${other.id}`)).toEqual(['createApp']);
    expect(await actions(`app=${id}&action=CHANNEL`)).toEqual(['resumeChannel', 'pauseChannel']);
    expect(await actions(`app=${id}&by=ANN&limit=1`)).toEqual(['resumeChannel']);
    expect(await actions(`app=${id}&by=nobody`)).toEqual([]);
    expect(await actions(`app=${id}&from=2999-01-01`)).toEqual([]);
    expect(await actions(`app=${id}&to=2999-01-01T00:00:00%2B08:00`)).toHaveLength(4);
  });

  it('by app, however the address was spelled that changed it', async () => {
    const { body } = await admin.call('POST', '/apps/', { name: 'Shop', edition: 'commercial' });
    const id = String(body['id']);
    const head = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
    const first = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const paths = [`/api/v1/apps/${first}`, `/api/v1/Apps/${id}`, `/API/V1/apps/${id}/`];
    for (const [n, path] of paths.entries()) {
      const name = `Shop ${n}`;
      expect((await admin.raw(path, { method: 'PATCH', headers: head, body: JSON.stringify({ name }) })).status).toBe(
        200,
      );
    }
    const found = (await entries(`?app=${id}`)).map(({ target }) => target);
    expect(found).toEqual([...paths.map(() => `/apps/${id}`), '/apps']);
  });

  it('as far as one request looks, and further by its cursor', async () => {
    const most = LIMITS.auditEntriesLookedAt.value;
    const entry = { by: 'person x', from: '', action: 'needle', target: '/apps' };
    await admin.store.auditLog.add({ ...entry, at: 1 });
    for (let i = 0; i < most; i += 1) await admin.store.auditLog.add({ ...entry, at: 2, action: 'hay' });
    const { body } = await admin.call('GET', '/audit?action=needle');
    expect(body).toMatchObject({ results: [], lookedBackTo: new Date(2).toISOString() });
    expect(await entries(`?action=needle&cursor=${String(body['cursor'])}`)).toHaveLength(1);
  });

  it('and written as a table', async () => {
    const { id } = await newApp();
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await fetch(`${admin.url}/api/v1/audit.csv?app=${id}`, { headers });
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const [head, line = '', ...rest] = (await answer.text()).split('\n');
    expect([head, rest]).toEqual(['at,by,from,action,target,changes', ['']]);
    expect(line).toMatch(new RegExp(`^20[^,]+Z,admin-token,127.0.0.1,createApp,/apps,.*${id}`));
  });

  it.each(['by=', 'from=yesterday', 'to=2030-13-01', 'app=a&app=b'])('and %s is refused', async (query) => {
    const answer = await admin.call('GET', `/audit?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: query.split('=')[0] }] } });
  });
});

it('leaves out what programs write, and attempts', () => {
  const others = admin.routes.filter(({ method, isAudited }) => method !== 'GET' && !isAudited);
  expect(others.map(({ method, path }) => `${method} ${path.slice('/api/v1'.length)}`).sort()).toEqual([
    'DELETE /session',
    'DELETE /users/:userId',
    'DELETE /users/:userId/blocks/:clientId',
    'DELETE /users/:userId/tokens/:clientId',
    'POST /apps/:id/profiles/:channel/:profile/test',
    'POST /apps/:id/pushes/preflight',
    'POST /imports/users',
    'POST /session',
    'POST /session/oidc',
    'POST /users/:userId/security-change',
    'POST /users/:userId/tokens/:clientId',
    'PUT /users/:userId',
    'PUT /users/:userId/blocks/:clientId',
  ]);
});
