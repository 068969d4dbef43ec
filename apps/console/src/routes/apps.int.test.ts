import { DAY_MS, DEFAULT_APP_SETTINGS, keysOf, type AppWithKeys } from '@pushfleet/domain';
import { keysIn, unique, until } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;

async function anApp(body: object = {}): Promise<Record<string, string>> {
  const { body: app } = await call('POST', '/apps', { name: 'Test', edition: 'commercial', ...body });
  return app as Record<string, string>;
}

async function stored(id: string | undefined): Promise<AppWithKeys> {
  const app = await admin.store.apps.get(String(id));
  if (!app) throw new Error(`there is no app ${id}`);
  return app;
}

describe('POST /apps', () => {
  describe('201', () => {
    it('gives an app keys of its own and the default settings', async () => {
      const { status, body } = await call('POST', '/apps', { name: '测试', edition: 'developer' });
      expect(status).toBe(201);
      expect(body).toEqual({
        ...{ id: expect.any(String), key: expect.any(String), masterKey: expect.any(String) },
        ...{ name: '测试', edition: 'developer' },
        ...DEFAULT_APP_SETTINGS,
      });
      expect(body['key']).not.toBe(body['masterKey']);
    });

    it('generates ids that no client takes for another region', async () => {
      const apps = await Promise.all(Array.from({ length: 50 }, () => anApp()));
      const ids = apps.map(({ id }) => id ?? '');
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) {
        expect(id).toMatch(/^[A-Za-z0-9_-]{9,64}$/);
        expect(id).not.toMatch(/-(MdYXbMMI|9Nh9j0Va)$/);
      }
    });

    it('keeps given credentials byte for byte', async () => {
      const given = { id: `${unique('App-_')}-MdYXbMMI`, key: 'k+/=:!~"\\', masterKey: 'M'.repeat(128) };
      const created = await call('POST', '/apps', { name: 'Moved', edition: 'developer', ...given });
      expect(created).toMatchObject({ status: 201, body: given });
      expect((await call('GET', `/apps/${given.id}`)).body).toMatchObject(given);
    });

    it('knows from the beginning which columns no installation has', async () => {
      const { channels, columnNames } = admin.store.installations;
      await channels.noteFleet({ now: Date.now(), isFresh: () => Promise.resolve(true) });
      const { id = '' } = await anApp();
      const at = new Date().toISOString();
      const rows = [
        { objectId: 'o1', installationId: 'i1', deviceType: 'android', createdAt: at, updatedAt: at, level: 3 },
      ];
      expect((await call('POST', `/apps/${id}/installations/import`, { rows })).body).toMatchObject({ bad: [] });
      expect(await columnNames.missing(id, ['level', 'levle'])).toEqual(['levle']);
      expect(await call('POST', '/apps', { name: 'Twin', edition: 'developer', id })).toMatchObject({ status: 409 });
      expect(await columnNames.missing(id, ['level', 'levle'])).toEqual(['levle']);
    });

    it('gives an app whose columns cannot be noted yet, and its audit entry', async () => {
      const id = unique('app');
      const columns = `${admin.namespace}:i:{${id}}:column-names`;
      await admin.redis.set(columns, 'not a list of columns');
      const answer = await call('POST', '/apps', { name: 'Test', edition: 'developer', id });
      await admin.redis.del(columns);
      expect(answer).toMatchObject({ status: 201, body: { id, key: (await stored(id)).key } });
      const { body } = await call('GET', `/audit?app=${id}`);
      expect(body['results']).toEqual([expect.objectContaining({ action: 'createApp', target: '/apps' })]);
      expect(await admin.store.installations.columnNames.missing(id, ['level'])).toEqual([]);
    });

    it('takes settings along', async () => {
      const app = await anApp({ hybrid: true, limits: { callsPerMinute: 0 } });
      expect(app).toMatchObject({ hybrid: true, limits: { ...DEFAULT_APP_SETTINGS.limits, callsPerMinute: 0 } });
    });
  });

  describe('400', () => {
    it('names every violation', async () => {
      const body = { edition: 'gold', id: 'short', key: 'a,b', masterKey: '', colour: 'red', limits: { perDay: 1 } };
      const answer = await call('POST', '/apps', body);
      expect(answer).toMatchObject({ status: 400, body: { code: 111, error: expect.stringContaining('name') } });
      const details = answer.body['details'] as { path: string }[];
      const paths = ['name', 'edition', 'id', 'key', 'masterKey', 'colour', 'limits.perDay'];
      expect(details.map(({ path }) => path).sort()).toEqual(paths.sort());
    });

    it('does not repeat a refused key', async () => {
      const answer = await call('POST', '/apps', { name: 'x', edition: 'developer', masterKey: 'top secret' });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).not.toContain('top secret');
    });

    it('refuses a master key that is the key', async () => {
      const answer = await call('POST', '/apps', {
        name: 'x',
        edition: 'developer',
        key: 'the-same-key',
        masterKey: 'the-same-key',
      });
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'masterKey' }] } });
    });

    it.each(['key', 'masterKey'])('refuses a %s that can be tried out', async (which) => {
      for (const guessable of ['k', '12345']) {
        const answer = await call('POST', '/apps', { name: 'x', edition: 'developer', [which]: guessable });
        expect(answer).toMatchObject({ status: 400, body: { details: [{ path: which }] } });
      }
    });

    it.each(['12345678', 'a'.repeat(65), 'with.dot.in.it', 'ünicode-id'])('refuses the id %s', async (id) => {
      const answer = await call('POST', '/apps', { name: 'x', edition: 'developer', id });
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'id' }] } });
    });
  });

  describe('409', () => {
    it('leaves an app with the same id as it is', async () => {
      const app = await anApp();
      const answer = await call('POST', '/apps', { name: 'Other', edition: 'developer', id: app['id'] });
      expect(answer).toMatchObject({ status: 409, body: { code: 409 } });
      expect((await call('GET', `/apps/${app['id']}`)).body).toEqual(app);
    });

    it('is the answer for an id whose data is still being deleted, to whatever wants it, with the progress', async () => {
      const { id } = await anApp();
      await call('DELETE', `/apps/${id}`);
      const asked = [
        call('POST', '/apps', { name: 'Again', edition: 'developer', id }),
        call('PATCH', `/apps/${id}`, { name: 'New' }),
        call('GET', `/apps/${id}/pushes`),
        call('PUT', `/apps/${id}/profiles/mi/_default`, { appSecret: 's' }),
      ];
      const error = expect.stringMatching(/is being deleted: pass 1, pushes 0 of \d+; 0 installations/);
      for (const answer of await Promise.all(asked))
        expect(answer).toMatchObject({ status: 409, body: { code: 409, error } });
    });

    it('is the answer to hybrid in the developer edition', async () => {
      const answer = await call('POST', '/apps', { name: 'x', edition: 'developer', hybrid: true });
      expect(answer).toMatchObject({ status: 409, body: { error: 'hybrid needs the commercial edition' } });
    });
  });
});

describe('GET /apps', () => {
  describe('200', () => {
    it('lists apps without their keys', async () => {
      const { key, masterKey, ...app } = await anApp();
      const answer = await call('GET', '/apps');
      expect(answer.status).toBe(200);
      expect(answer.body['results']).toContainEqual(app);
      expect(JSON.stringify(answer.body)).not.toContain(key);
      expect(JSON.stringify(answer.body)).not.toContain(masterKey);
    });
  });
});

describe('GET /apps/:id', () => {
  describe('200', () => {
    it('shows the keys', async () => {
      const app = await anApp();
      expect(await call('GET', `/apps/${app['id']}`)).toMatchObject({ status: 200, body: app });
    });
  });

  describe('404', () => {
    it.each(['no-such-app', '__proto__', 'a%2Fb'])('is the answer for %s', async (id) => {
      expect(await call('GET', `/apps/${id}`)).toMatchObject({ status: 404, body: { code: 404 } });
    });
  });
});

describe('PATCH /apps/:id', () => {
  describe('200', () => {
    it('changes what is named and keeps the rest, keys included', async () => {
      const app = await anApp();
      const change = { name: 'New', clientPush: false, overlong: 'reject', limits: { deliveriesPerDay: 5 } };
      const expected = { ...app, ...change, limits: { ...DEFAULT_APP_SETTINGS.limits, deliveriesPerDay: 5 } };
      const answer = await call('PATCH', `/apps/${app['id']}`, change);
      expect(answer).toMatchObject({ status: 200, body: expected });
      expect((await call('GET', `/apps/${app['id']}`)).body).toEqual(expected);
    });

    it('switches hybrid on and off, and then lowers the edition', async () => {
      const { id } = await anApp({ edition: 'developer' });
      const states = [{ edition: 'commercial', hybrid: true }, { hybrid: false }, { edition: 'developer' }];
      for (const change of states)
        expect(await call('PATCH', `/apps/${id}`, change)).toMatchObject({ status: 200, body: change });
    });
  });

  describe('400', () => {
    it.each(['installationId', 'deviceType', 'objectId', 'a-b'])(
      '%s cannot be for the master key only',
      async (name) => {
        const { id } = await anApp();
        const answer = await call('PATCH', `/apps/${id}`, { masterOnly: { columns: [name] } });
        expect(answer).toMatchObject({ status: 400, body: { code: 111, error: expect.stringMatching(/masterOnly/) } });
      },
    );

    it('names every unknown field and every wrong one', async () => {
      const { id } = await anApp();
      const change = { masterKey: 'x', id: 'y', hybrid: 'yes', limits: { callsPerMinute: -1 } };
      const answer = await call('PATCH', `/apps/${id}`, change);
      const paths = (answer.body['details'] as { path: string }[]).map(({ path }) => path).sort();
      expect({ status: answer.status, paths }).toEqual({
        status: 400,
        paths: ['hybrid', 'id', 'limits.callsPerMinute', 'masterKey'],
      });
    });

    it('is the answer to a body that is not an object', async () => {
      const { id } = await anApp();
      expect(await call('PATCH', `/apps/${id}`, [1])).toMatchObject({ status: 400, body: { code: 111 } });
    });
  });

  describe('404', () => {
    it('is the answer for an app that does not exist', async () => {
      expect((await call('PATCH', '/apps/no-such-app', { name: 'x' })).status).toBe(404);
    });
  });

  describe('409', () => {
    it('keeps hybrid off in the developer edition', async () => {
      const { id } = await anApp({ edition: 'developer' });
      const answer = await call('PATCH', `/apps/${id}`, { hybrid: true });
      expect(answer).toMatchObject({ status: 409, body: { code: 409, error: 'hybrid needs the commercial edition' } });
      expect((await call('GET', `/apps/${id}`)).body).toMatchObject({ hybrid: false });
    });

    it('keeps the edition while hybrid is on', async () => {
      const { id } = await anApp({ hybrid: true });
      const answer = await call('PATCH', `/apps/${id}`, { edition: 'developer' });
      expect(answer).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('switch hybrid off first') },
      });
      expect((await call('GET', `/apps/${id}`)).body).toMatchObject({ edition: 'commercial', hybrid: true });
    });
  });
});

describe('DELETE /apps/:id', () => {
  describe('200', () => {
    it('removes the app at once and its data in the background, and tells how far that is', async () => {
      const { id = '' } = await anApp();
      const ref = { app: id, channel: 'mi', profile: '_default' };
      await admin.store.profiles.put(ref, { value: { appSecret: 's' }, receiptKey: 'r' });
      const begun = {
        purge: { pass: 1, step: 'pushes', percent: 0, removed: { pushes: 0, installations: 0, keys: 0 } },
      };
      expect(await call('DELETE', `/apps/${id}`)).toMatchObject({ status: 200, body: begun });
      expect(await call('DELETE', `/apps/${id}`)).toMatchObject({ status: 200, body: begun });
      expect(await call('GET', `/apps/${id}`)).toMatchObject({ status: 200, body: { id, ...begun } });
      const { body } = await call('GET', '/apps');
      expect(body['purging']).toContainEqual(expect.objectContaining({ id }));
      expect((body['results'] as { id: string }[]).filter((app) => app.id === id)).toEqual([]);
      const alone = (_: string, work: () => Promise<void>) => work();
      const nothing = { onPushes: async () => undefined, onUnreadable: () => undefined, attempt: alone };
      const run = { stopping: new AbortController().signal, settleMs: 0, ...nothing };
      await until(async () => (await admin.store.purges.run([id], run)).length > 0);
      expect((await call('GET', `/apps/${id}`)).status).toBe(404);
      expect((await call('DELETE', `/apps/${id}`)).status).toBe(404);
      expect(await admin.store.profiles.get(ref)).toBeUndefined();
    });

    it('is listed without its progress where nobody can read that, beside all others', async () => {
      const { id = '' } = await anApp();
      await call('DELETE', `/apps/${id}`);
      const [key = ''] = await keysIn(admin.redis, `${admin.namespace}:purges:*`);
      await admin.redis.hset(key, id, '{');
      const { status, body } = await call('GET', '/apps');
      await admin.redis.hdel(key, id);
      expect([status, body['purging']]).toEqual([200, expect.arrayContaining([{ id }])]);
    });

    it('is the answer for an app whose keys cannot be opened', async () => {
      const { id = '' } = await anApp();
      const key = `${admin.namespace}:apps`;
      const text = (await admin.redis.hget(key, id)) ?? '';
      await admin.redis.hset(key, id, text.replace(/"2\.[^.]+/g, '"2.nobody'));
      expect((await call('GET', `/apps/${id}`)).status).toBe(409);
      expect((await call('DELETE', `/apps/${id}`)).status).toBe(200);
    });

    it('is the answer for an app whose record is damaged, which is named to whoever wants it', async () => {
      for (const text of ['no JSON', '{}']) {
        const { id = '' } = await anApp();
        await admin.redis.hset(`${admin.namespace}:apps`, id, text);
        for (const [method, path] of [
          ['GET', ''],
          ['PATCH', ''],
          ['GET', '/profiles'],
        ] as const) {
          const { status, body } = await call(
            method,
            `/apps/${id}${path}`,
            method === 'PATCH' ? { name: 'n' } : undefined,
          );
          expect([status, body['error']]).toEqual([409, expect.stringMatching(`record of the app "${id}".* damaged`)]);
        }
        expect((await call('DELETE', `/apps/${id}`)).status).toBe(200);
      }
    });

    it('meets changes of the same app, which are then made or find no app', async () => {
      const answers = [];
      for (let round = 0; round < 5; round += 1) {
        const { id } = await anApp();
        const changes = [
          call('PATCH', `/apps/${id}`, { name: 'New' }),
          call('POST', `/apps/${id}/keys`, { which: 'key' }),
        ];
        const [removed, ...changed] = await Promise.all([call('DELETE', `/apps/${id}`), ...changes]);
        expect([removed.status, (await call('GET', `/apps/${id}`)).body]).toMatchObject([200, { purge: {} }]);
        answers.push(...changed);
      }
      expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
    });
  });

  describe('404', () => {
    it('is the answer for an app that does not exist', async () => {
      expect((await call('DELETE', '/apps/no-such-app')).status).toBe(404);
    });
  });
});

describe('POST /apps/:id/keys', () => {
  describe('200', () => {
    it.each(['key', 'masterKey'])('replaces the %s and nothing else', async (which) => {
      const app = await anApp();
      const answer = await call('POST', `/apps/${app['id']}/keys`, { which });
      expect(answer).toMatchObject({ status: 200, body: { ...app, [which]: expect.any(String) } });
      expect(answer.body[which]).not.toBe(app[which]);
      expect((await call('GET', `/apps/${app['id']}`)).body).toEqual(answer.body);
    });

    it('takes the old key for a day beside the new one, and tells nobody which it is', async () => {
      const app = await anApp();
      const before = Date.now();
      const { body } = await call('POST', `/apps/${app['id']}/keys`, { which: 'masterKey' });
      const [old] = body['replacedKeys'] as readonly { which: string; until: string }[];
      expect(old).toEqual({ which: 'masterKey', until: expect.any(String) });
      expect(Date.parse(old?.until ?? '') - before).toBeGreaterThanOrEqual(DAY_MS);
      expect(Date.parse(old?.until ?? '') - Date.now()).toBeLessThanOrEqual(DAY_MS);
      expect(keysOf(await stored(app['id']), 'masterKey', before)).toEqual([body['masterKey'], app['masterKey']]);
      expect(JSON.stringify([body, await call('GET', '/audit?limit=1')])).not.toContain(app['masterKey']);
    });

    it('ends the old key at once where that is asked, and what was replaced before it', async () => {
      const app = await anApp();
      await call('POST', `/apps/${app['id']}/keys`, { which: 'key' });
      const { body } = await call('POST', `/apps/${app['id']}/keys`, { which: 'key', keepOldMs: 0 });
      expect(body).not.toHaveProperty('replacedKeys');
      expect(keysOf(await stored(app['id']), 'key', Date.now())).toEqual([body['key']]);
    });
  });

  describe('400', () => {
    it.each([{}, { which: 'id' }, { which: 'key', value: 'mine' }, { which: 'key', keepOldMs: 31 * DAY_MS }])(
      'is the answer to %j',
      async (body) => {
        const { id } = await anApp();
        const answer = await call('POST', `/apps/${id}/keys`, body);
        expect(answer).toMatchObject({ status: 400, body: { details: [expect.any(Object)] } });
      },
    );
  });

  describe('404', () => {
    it('is the answer for an app that does not exist', async () => {
      expect((await call('POST', '/apps/no-such-app/keys', { which: 'key' })).status).toBe(404);
    });
  });
});

describe('DELETE /apps/:id/replaced-keys/:which', () => {
  describe('200', () => {
    it('ends the old key, and leaves the others', async () => {
      const app = await anApp();
      for (const which of ['key', 'masterKey']) await call('POST', `/apps/${app['id']}/keys`, { which });
      const { status, body } = await call('DELETE', `/apps/${app['id']}/replaced-keys/masterKey`);
      expect({ status, body }).toMatchObject({ status: 200, body: { replacedKeys: [{ which: 'key' }] } });
      const left = await stored(app['id']);
      expect(keysOf(left, 'masterKey', 0)).toEqual([left.masterKey]);
      expect(keysOf(left, 'key', 0)).toEqual([left.key, app['key']]);
    });
  });

  describe('400', () => {
    it('is the answer to a key that no app has', async () => {
      const { id } = await anApp();
      expect((await call('DELETE', `/apps/${id}/replaced-keys/other`)).status).toBe(400);
    });
  });

  describe('404', () => {
    it('is the answer where no replaced key is taken', async () => {
      const { id } = await anApp();
      expect((await call('DELETE', `/apps/${id}/replaced-keys/key`)).status).toBe(404);
      expect((await call('DELETE', '/apps/no-such-app/replaced-keys/key')).status).toBe(404);
    });
  });
});
