import { ROLES, type Role } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();

/** The least role of everything that there is; a star stands for who has all apps. */
const TABLE: Readonly<Record<string, `${Role}${'' | '*'}`>> = {
  'POST /session/links': 'owner*',
  'GET /session': 'viewer',
  'DELETE /single-sign-on/:subject/sessions': 'viewer',
  'DELETE /session': 'viewer',
  'GET /people': 'owner*',
  'POST /people': 'owner*',
  'PATCH /people/:name': 'owner*',
  'DELETE /people/:name': 'owner*',
  'PUT /people/:name/password': 'viewer',
  'DELETE /people/:name/sessions': 'viewer',
  'GET /api-tokens': 'owner*',
  'POST /api-tokens': 'owner*',
  'DELETE /api-tokens/:tokenId': 'owner*',
  'POST /apps': 'operator*',
  'GET /apps': 'viewer',
  'GET /apps/:id': 'viewer',
  'GET /apps/:id/room': 'viewer',
  'GET /apps/:id/reach': 'viewer',
  'GET /apps/:id/audience': 'viewer',
  'GET /apps/:id/indexes': 'viewer',
  'GET /apps/:id/indexes/:column': 'viewer',
  'PUT /apps/:id/indexes/:column': 'operator',
  'DELETE /apps/:id/indexes/:column': 'operator',
  'PATCH /apps/:id': 'operator',
  'DELETE /apps/:id': 'owner',
  'POST /apps/:id/keys': 'owner',
  'DELETE /apps/:id/replaced-keys/:which': 'owner',
  'GET /profile-fields': 'viewer',
  'GET /apps/:id/profiles': 'operator',
  'GET /apps/:id/profiles/:channel/:profile': 'operator',
  'PUT /apps/:id/profiles/:channel/:profile': 'operator',
  'DELETE /apps/:id/profiles/:channel/:profile': 'operator',
  'POST /apps/:id/profiles/:channel/:profile/test': 'operator',
  'GET /apps/:id/pushes': 'viewer',
  'GET /apps/:id/pushes.csv': 'viewer',
  'GET /apps/:id/pushes/:pushId': 'viewer',
  'GET /apps/:id/pushes/:pushId/outcomes': 'viewer',
  'POST /apps/:id/pushes': 'sender',
  'POST /apps/:id/pushes/preflight': 'sender',
  'GET /apps/:id/preflights/:preflightId': 'sender',
  'GET /apps/:id/pushes/:pushId/unreached': 'sender',
  'DELETE /apps/:id/pushes/:pushId': 'sender',
  'GET /apps/:id/installations': 'viewer',
  'GET /apps/:id/installations/:installationId': 'viewer',
  'GET /apps/:id/installations/:installationId/story': 'viewer',
  'DELETE /apps/:id/installations/:installationId': 'operator',
  'POST /apps/:id/installations/:installationId/retire': 'operator',
  'POST /apps/:id/installations/import': 'operator',
  'GET /reasons': 'viewer',
  'GET /channels': 'viewer*',
  'GET /backlog': 'viewer*',
  'GET /stats': 'viewer*',
  'GET /throughput': 'viewer*',
  'POST /channels/:channel/pause': 'operator*',
  'POST /channels/:channel/drain': 'operator*',
  'GET /channels/:channel/discard': 'operator*',
  'POST /channels/:channel/discard': 'operator*',
  'POST /channels/:channel/resume': 'operator*',
  'GET /processes': 'viewer*',
  'GET /live': 'viewer',
  'GET /audit': 'operator*',
  'GET /audit.csv': 'operator*',
  'GET /doctor': 'viewer*',
  'GET /secrets': 'operator*',
  'POST /secrets': 'owner*',
  'GET /users': 'operator*',
  'GET /users/:userId/tokens': 'operator*',
  'GET /clients': 'operator*',
  'PUT /users/:userId': 'operator*',
  'GET /users/:userId': 'operator*',
  'DELETE /users/:userId': 'operator*',
  'PUT /users/:userId/blocks/:clientId': 'operator*',
  'DELETE /users/:userId/blocks/:clientId': 'operator*',
  'POST /users/:userId/tokens/:clientId': 'operator*',
  'DELETE /users/:userId/tokens/:clientId': 'operator*',
  'POST /users/:userId/security-change': 'operator*',
  'POST /imports/users': 'operator*',
  'PUT /clients/:clientId': 'operator*',
  'GET /clients/:clientId': 'operator*',
  'DELETE /clients/:clientId': 'operator*',
};

const tokenOf = async (role: Role, apps: 'all' | readonly string[]): Promise<string> =>
  String((await admin.call('POST', '/api-tokens', { name: unique('t'), role, apps })).body['token']);

const reaches = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

it('says of every operation whom it is for', () => {
  const rows = admin.routes
    .filter(({ path, access }) => path.startsWith('/api/v1/') && access)
    .map(({ method, path, access }) => [
      `${method} ${path.slice('/api/v1'.length)}`,
      `${access?.role}${access?.scope === 'fleet' ? '*' : ''}`,
    ]);
  expect(Object.fromEntries(rows)).toEqual(TABLE);
  for (const { path, access } of admin.routes)
    expect([path, access?.scope === 'app']).toEqual([path, path.startsWith('/api/v1/apps/:id')]);
});

describe.each(ROLES)('%s', (role) => {
  // What refuses comes before what the address names: an app and a person that do not exist tell the two apart.
  it('may do what the table says, for all apps, for its own and for those of others', async () => {
    const own = unique('appOfMine');
    const [all, some] = [await tokenOf(role, 'all'), await tokenOf(role, [own])];
    const isRefused = async (row: string, app: string, token: string): Promise<boolean> => {
      const [method = '', pattern = ''] = row.split(' ');
      const path = `/api/v1${pattern.replace(':id', app).replace(/:\w+/g, 'nobody')}`;
      const headers = { authorization: `Bearer ${token}` };
      const { status, body } = await admin.raw(path, { method, headers });
      return status === 403 && /role/.test(String(body['error']));
    };
    for (const [row, least] of Object.entries(TABLE)) {
      const mayAtAll = reaches(role, least.replace('*', '') as Role);
      const isFleet = least.endsWith('*');
      const isOfApp = row.includes('/apps/:id');
      // These two judge once more whose it is.
      const isOfPerson = /^(PUT|DELETE) \/(people\/:name|single-sign-on\/:subject)\/(password|sessions)$/.test(row);
      const expected = {
        all: mayAtAll && !(isOfPerson && role !== 'owner'),
        own: mayAtAll && !isFleet && !isOfPerson,
        foreign: mayAtAll && !isFleet && !isOfApp && !isOfPerson,
      };
      const allowed = {
        all: !(await isRefused(row, 'any-app', all)),
        own: !(await isRefused(row, own, some)),
        foreign: !(await isRefused(row, 'foreign-app', some)),
      };
      expect([row, allowed]).toEqual([row, expected]);
    }
  });
});

const READ_OF_APP = Object.keys(TABLE).filter((row) => row.startsWith('GET /apps/:id'));

it.each(READ_OF_APP)('%s is answered 404 for an app that does not exist', async (row) => {
  const path = row.replace('GET ', '').replace(':id', 'no-such-app').replace(/:\w+/g, 'mi');
  expect((await admin.call('GET', path)).status).toBe(404);
});

it('lists the apps of the caller alone, and shows keys to operators alone', async () => {
  const create = async (): Promise<string> =>
    String((await admin.call('POST', '/apps', { name: 'Shop', edition: 'commercial' })).body['id']);
  const [mine, other] = [await create(), await create()];
  const read = async (token: string, path: string) =>
    (await admin.raw(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).body;
  const viewer = await tokenOf('viewer', [mine]);
  expect(((await read(viewer, '/apps'))['results'] as { id: string }[]).map(({ id }) => id)).toEqual([mine]);
  expect(await read(viewer, `/apps/${mine}`)).not.toHaveProperty('masterKey');
  expect(await read(await tokenOf('operator', [mine]), `/apps/${mine}`)).toHaveProperty('masterKey');
  expect(JSON.stringify(await read(viewer, `/apps/${other}`))).not.toContain('Shop');
});

describe('an API token', () => {
  const readBy = (token: string) => admin.raw('/api/v1/session', { headers: { authorization: `Bearer ${token}` } });

  it('is shown once, and named by the audit log', async () => {
    const { body } = await admin.call('POST', '/api-tokens', { name: 'ci', role: 'operator', days: 1 });
    const { id, token } = body as { id: string; token: string };
    expect(token).toMatch(/^pft_/);
    expect(JSON.stringify((await admin.call('GET', '/api-tokens')).body)).not.toContain(token.slice(17));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const app = JSON.stringify({ name: 'By a program', edition: 'developer' });
    await admin.raw('/api/v1/apps', { method: 'POST', headers, body: app });
    const log = (await admin.call('GET', '/audit?limit=2')).body['results'] as { action: string; by: string }[];
    expect(log).toMatchObject([
      { action: 'createApp', by: `token ci (${id})` },
      { action: 'createApiToken', by: 'admin-token' },
    ]);
    expect(JSON.stringify(log)).not.toContain(token.slice(17));
  });

  it('ends when it is deleted, and is not guessed from its id', async () => {
    const { body } = await admin.call('POST', '/api-tokens', { name: 'ci', role: 'viewer' });
    const { id, token } = body as { id: string; token: string };
    expect((await readBy(token)).status).toBe(200);
    expect((await readBy(`pft_${id}_${'A'.repeat(43)}`)).status).toBe(401);
    await admin.call('DELETE', `/api-tokens/${id}`);
    expect((await readBy(token)).status).toBe(401);
  });

  it('ends by itself', async () => {
    const { body } = await admin.call('POST', '/api-tokens', { name: 'ci', role: 'viewer', days: 1 });
    const { id, token } = body as { id: string; token: string };
    await admin.store.people.apiTokens.update(id, (stored) => ({ ...stored, expiresAt: Date.now() - 1 }));
    expect(await readBy(token)).toMatchObject({ status: 401, body: { error: expect.stringContaining('expired') } });
  });

  it.each([[{ days: 0 }], [{ days: 367 }], [{ role: 'root' }], [{ apps: 'some' }], [{ name: '' }]])(
    'is refused with %j',
    async (wrong) =>
      expect((await admin.call('POST', '/api-tokens', { name: 'x', role: 'viewer', ...wrong })).status).toBe(400),
  );
});
