import { monitorEventLoopDelay } from 'node:perf_hooks';
import { unique } from '@pushfleet/testing';
import { ADMIN_TOKEN, consoleHarness, type Answer } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;

const DAY_MS = 86_400_000;
const recently = new Date(Date.now() - DAY_MS).toISOString();

async function anApp(): Promise<string> {
  const { body } = await call('POST', '/apps', { name: 'Test', edition: 'commercial' });
  return String(body['id']);
}
const aRow = (fields: object = {}): Record<string, unknown> => ({
  objectId: unique('o'),
  createdAt: recently,
  updatedAt: recently,
  installationId: unique('i'),
  deviceType: 'android',
  valid: true,
  vendor: 'HMS',
  registrationId: unique('r'),
  ...fields,
});
const importing = (app: string, rows: readonly unknown[], more: object = {}): Promise<Answer> =>
  call('POST', `/apps/${app}/installations/import`, { rows, ...more });
const page = (app: string, query = ''): Promise<Answer> => call('GET', `/apps/${app}/installations${query}`);

async function allOf(app: string, limit: number): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let cursor = ''; ;) {
    const { body } = await page(app, `?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    all.push(...(body['results'] as unknown[]));
    if (body['cursor'] === undefined) return all;
    cursor = String(body['cursor']);
  }
}

/** How long the event loop stood still at once. */
function longestStall(): { endMs: () => number } {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  return {
    endMs: () => {
      delay.disable();
      return delay.max / 1e6;
    },
  };
}

describe('POST /apps/:id/installations/import', () => {
  it('stores rows with all that they hold and counts what became of them', async () => {
    const app = await anApp();
    const rows = [aRow({ custom: { a: [1] }, channels: ['news'], valid: true }), aRow({ vendor: 'mi', city: '北京' })];
    const first = await importing(app, rows);
    expect(first).toMatchObject({
      status: 200,
      body: { created: 2, updated: 0, unchanged: 0, superseded: 0, bad: [] },
    });
    for (const row of rows) expect(await admin.store.installations.get(app, String(row['objectId']))).toEqual(row);
    expect((await importing(app, rows)).body).toMatchObject({ created: 0, unchanged: 2 });
    const newer = { ...rows[0], updatedAt: new Date().toISOString() };
    expect((await importing(app, [newer])).body).toMatchObject({ updated: 1 });
    expect(
      (await importing(app, [aRow({ installationId: rows[0]?.['installationId'], updatedAt: '2020-01-01T00:00:00Z' })]))
        .body,
    ).toMatchObject({ superseded: 1 });
  });

  it('lets the console answer others while it reads thousands of rows', async () => {
    const app = await anApp();
    const channels = Array.from({ length: 20 }, (_, i) => `channel-${i}`);
    const rows = Array.from({ length: 10_000 }, () => aRow({ channels }));
    const body = JSON.stringify({ rows, dryRun: true });
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
    const stall = longestStall();
    const begun = performance.now();
    const imported = await admin.raw(`/api/v1/apps/${app}/installations/import`, { method: 'POST', headers, body });
    const tookMs = performance.now() - begun;
    expect(imported).toMatchObject({ status: 200, body: { bad: [] } });
    expect(stall.endMs()).toBeLessThan(tookMs / 4);
  });

  it('keeps every digit of integers that a double cannot hold, in and out', async () => {
    const app = await anApp();
    const row = aRow({ userId: 1234567890123456789n });
    expect(await importing(app, [row])).toMatchObject({ status: 200, body: { created: 1 } });
    expect(await admin.store.installations.get(app, String(row['objectId']))).toEqual(row);
    expect((await page(app)).body['results']).toEqual([row]);
  });

  it('takes dates as the 1.1 API spells them in columns, and leaves out what the database added', async () => {
    const app = await anApp();
    const row = aRow({
      createdAt: { __type: 'Date', iso: recently },
      updatedAt: `${recently.slice(0, 10)}T08:00:00+08:00`,
    });
    await importing(app, [{ ...row, _rperm: ['*'], __v: 1, city: null }]);
    const stored = await admin.store.installations.get(app, String(row['objectId']));
    expect(stored).toEqual({ ...row, createdAt: recently, updatedAt: `${recently.slice(0, 10)}T00:00:00.000Z` });
  });

  it('tells every bad row by its place and reason, and stores the others', async () => {
    const app = await anApp();
    const bad: readonly (readonly [unknown, string])[] = [
      ['text', 'JSON object'],
      [aRow({ objectId: undefined }), 'objectId'],
      [aRow({ objectId: 'a b' }), 'objectId'],
      [aRow({ registrationId: 'a,b' }), 'registrationId'],
      [
        { objectId: 'u1', username: 'bob', installationId: null },
        'is no installation: it has none of installationId, ',
      ],
      [aRow({ channels: ['not a name'] }), 'channels'],
      [aRow({ updatedAt: 'yesterday' }), 'updatedAt'],
      [aRow({ deviceProfile: '1' }), 'deviceProfile'],
      [aRow({ 'a-b': 1 }), 'a-b'],
      [aRow({ big: 'x'.repeat(65_536) }), 'larger than 65536'],
    ];
    const good = aRow();
    const { status, body } = await importing(app, [...bad.map(([row]) => row), good]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      created: 1,
      bad: bad.map(([, word], index) => ({ index, error: expect.stringContaining(word) })),
    });
    expect(await allOf(app, 10)).toEqual([good]);
  });

  it('counts whom a push would reach once, however many rows there are of it', async () => {
    const newest = aRow();
    const earlier = { updatedAt: new Date(Date.now() - 2 * DAY_MS).toISOString() };
    const { installationId } = newest;
    const others = [{ ...newest, ...earlier, vendor: 'mi' }, aRow({ ...earlier, installationId, vendor: 'vivo' })];
    for (const rows of [
      [newest, ...others],
      [...others, newest],
    ])
      for (const dryRun of [true, false]) {
        const { body } = await importing(await anApp(), rows, { dryRun });
        expect(body['reach']).toEqual([expect.objectContaining({ vendor: 'HMS', count: 1 })]);
      }
    const app = await anApp();
    for (const reach of [[expect.objectContaining({ count: 1 })], [expect.objectContaining({ count: 1 })]])
      expect((await importing(app, [newest])).body).toMatchObject({ reach });
    expect((await importing(app, others.slice(1))).body).toMatchObject({ superseded: 1, reach: [] });
  });

  it.each([true, false])(
    'counts as reached the newest of those with one registrationId (dry run: %s)',
    async (dryRun) => {
      const app = await anApp();
      await call('PUT', `/apps/${app}/profiles/hms/_default`, { appId: 'a', appSecret: 's' });
      await call('PATCH', `/apps/${app}`, { hybrid: true });
      const shared = { registrationId: unique('r') };
      const earlier = { ...shared, updatedAt: new Date(Date.now() - 2 * DAY_MS).toISOString() };
      const { body } = await importing(app, [aRow(earlier), aRow(shared), aRow(earlier)], { dryRun });
      expect(body['reach']).toEqual([
        { vendor: 'HMS', reason: 'registration-missing', count: 2 },
        { vendor: 'HMS', count: 1 },
      ]);
      if (!dryRun) expect((await call('GET', `/apps/${app}/reach`)).body).toMatchObject({ reachable: 1 });
    },
  );

  it('tells by vendor who would be reached, and why others would not', async () => {
    const app = await anApp();
    await call('PUT', `/apps/${app}/profiles/hms/_default`, { appId: 'a', appSecret: 's' });
    const stale = new Date(Date.now() - 91 * DAY_MS).toISOString();
    const rows = [
      aRow(),
      aRow(),
      aRow({ deviceProfile: 'game' }),
      aRow({ vendor: 'mi' }),
      aRow({ vendor: 'fcm' }),
      aRow({ vendor: 'mi-intl' }),
      aRow({ registrationId: '' }),
      aRow({ vendor: 'lc' }),
      aRow({ vendor: undefined }),
      aRow({ deviceType: 'ios' }),
      aRow({ valid: false }),
      aRow({ updatedAt: stale }),
    ];
    for (const dryRun of [true, false]) {
      const { body } = await importing(app, rows, { dryRun });
      expect(body['reach']).toEqual(
        expect.arrayContaining([
          { vendor: 'HMS', count: 2 },
          { vendor: 'HMS', reason: 'profile-missing', profile: 'game', count: 1 },
          { vendor: 'mi', reason: 'profile-missing', profile: '_default', count: 1 },
          { vendor: 'fcm', reason: 'vendor-unknown', count: 1 },
          { vendor: 'mi-intl', reason: 'vendor-unknown', count: 1 },
          { vendor: 'HMS', reason: 'registration-missing', count: 1 },
          { vendor: 'none', count: 2 },
          { vendor: 'ios', reason: 'platform-unsupported', count: 1 },
          { vendor: 'HMS', reason: 'not-valid', count: 1 },
          { vendor: 'HMS', reason: 'stale', count: 1 },
        ]),
      );
      const inDays = (Date.parse(String(body['staleEndAt'])) - Date.now()) / DAY_MS;
      expect(Math.round(inDays)).toBe(180);
      expect(await admin.store.installations.count(app)).toBe(dryRun ? 0 : rows.length);
    }
    expect((await admin.store.installations.sizes(app, 'hms/_default')).reduce((a, b) => a + b, 0)).toBe(2);
  });

  it('tells of many kinds of vendors in few words', async () => {
    const { body } = await importing(
      await anApp(),
      Array.from({ length: 300 }, (_, i) => aRow({ vendor: `v${i}` })),
      { dryRun: true },
    );
    const reach = body['reach'] as { vendor: string; count: number }[];
    expect(reach.length).toBeLessThanOrEqual(101);
    expect(reach.reduce((sum, { count }) => sum + count, 0)).toBe(300);
  });

  it.each([[{}], [{ rows: [] }], [{ rows: {} }], [{ rows: [{}], more: 1 }]])('400 to %j', async (body) => {
    const answer = await call('POST', `/apps/${await anApp()}/installations/import`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 111 } });
  });

  it('404 for an app that does not exist', async () => {
    expect(await importing('nobody', [aRow()])).toMatchObject({ status: 404 });
  });
});

describe('GET /apps/:id/installations', () => {
  it('hands out each once, in pages that always come in the same order', async () => {
    const app = await anApp();
    const rows = Array.from({ length: 57 }, () => aRow());
    await importing(app, rows);
    const whole = await allOf(app, 1000);
    expect(whole).toHaveLength(57);
    expect(whole).toEqual(expect.arrayContaining(rows));
    for (const limit of [1, 10, 57]) expect(await allOf(app, limit)).toEqual(whole);
    expect((await page(app, '?limit=5')).body['total']).toBe(57);
  });

  it('ends a page early when its rows are large', async () => {
    const app = await anApp();
    const rows = Array.from({ length: 40 }, () => aRow({ big: 'x'.repeat(60_000) }));
    for (let i = 0; i < rows.length; i += 10) await importing(app, rows.slice(i, i + 10));
    const first = (await page(app)).body['results'] as unknown[];
    expect(first.length).toBeLessThan(20);
    expect(await allOf(app, 1000)).toHaveLength(40);
  });

  it('what it hands out makes an equal app of another one', async () => {
    const [from, to] = [await anApp(), await anApp()];
    await importing(
      from,
      Array.from({ length: 30 }, (_, i) => aRow({ n: i, registrationId: `r${i % 20}` })),
    );
    const all = await allOf(from, 7);
    await importing(to, all);
    expect(await allOf(to, 9)).toEqual(all);
  });

  it('hands out what its devices saved, whatever became of their registrations since', async () => {
    const app = await anApp();
    const rows = [aRow(), aRow({ valid: undefined }), aRow({ valid: false })];
    await importing(app, rows);
    for (const { installationId } of rows.slice(0, 2))
      await call('POST', `/apps/${app}/installations/${String(installationId)}/retire`);
    const valid = (found: readonly unknown[]): readonly unknown[] =>
      rows.map(({ objectId }) => (found as typeof rows).find((one) => one['objectId'] === objectId)?.['valid']);
    expect(valid(await allOf(app, 2))).toEqual([true, true, false]);
    expect(valid((await page(app, '?where={}')).body['results'] as unknown[])).toEqual([false, false, false]);
  });

  it('is empty for an app without any', async () => {
    expect((await page(await anApp())).body).toEqual({ results: [], total: 0 });
  });

  it.each(['?limit=0', '?limit=1001', '?cursor=a%20b', '?skip=1'])('400 to %s', async (query) => {
    expect(await page(await anApp(), query)).toMatchObject({ status: 400, body: { code: 111 } });
  });

  it('404 for an app that does not exist', async () => {
    expect(await page('nobody')).toMatchObject({ status: 404 });
    expect(admin.counted).toContain('GET /apps/:id/installations 404');
  });
});

describe('GET /apps/:id/installations/:installationId', () => {
  it('shows one, and where its registrationId went when the app key moved it', async () => {
    const app = await anApp();
    const row = aRow();
    await importing(app, [row]);
    const client = { columns: [], channelPrefixes: [] };
    const body = { deviceType: 'android', vendor: 'HMS', registrationId: String(row['registrationId']) };
    const thief = await admin.store.installations.save({ app, body, client, now: Date.now() });
    for (const id of [row['installationId'], row['objectId']])
      expect(await call('GET', `/apps/${app}/installations/${String(id)}`)).toMatchObject({
        status: 200,
        body: {
          installation: { objectId: row['objectId'] },
          ...{ bucket: 'unregistered', isRetired: false },
          registrationLostTo: { objectId: thief?.installation.objectId, at: expect.stringMatching(/Z$/) },
        },
      });
    expect((await call('GET', `/apps/${app}/installations/nobody`)).status).toBe(404);
  });
});

describe('GET /apps/:id/installations?where=', () => {
  const asked = (where: object | string): string =>
    `?where=${encodeURIComponent(typeof where === 'string' ? where : JSON.stringify(where))}`;

  it('tells the devices that a condition holds for, targets or not, and how many it looked at', async () => {
    const app = await anApp();
    const rows = Array.from({ length: 9 }, (_, i) => aRow({ level: i, ...(i === 8 ? { valid: false } : {}) }));
    await importing(app, rows);
    const { status, body } = await page(app, asked({ level: { $gte: 7 } }));
    expect([status, body['total'], body['lookedAt'], body['cursor']]).toEqual([200, 9, 9, undefined]);
    const levels = (body['results'] as readonly { level: number }[]).map(({ level }) => level);
    expect(levels.sort()).toEqual([7, 8]);
    expect((await page(app, asked([{ level: 3 }, { vendor: 'HMS' }]))).body['results']).toHaveLength(1);
    expect((await page(app, asked({ level: 99 }))).body).toEqual({ results: [], total: 9, lookedAt: 9 });
  });

  it('looks a device up by its registrationId and goes on behind a cursor', async () => {
    const app = await anApp();
    const rows = Array.from({ length: 7 }, () => aRow());
    await importing(app, rows);
    const names = rows.slice(0, 5).map((row) => String(row['registrationId']));
    const one = await page(app, asked({ registrationId: names[0] ?? '' }));
    expect(one.body).toMatchObject({ results: [{ objectId: rows[0]?.['objectId'] }], lookedAt: 1 });
    const found: unknown[] = [];
    let cursor: unknown = '';
    while (cursor !== undefined) {
      const query = `${asked({ registrationId: { $in: names } })}&limit=2${cursor === '' ? '' : `&cursor=${String(cursor)}`}`;
      const { body } = await page(app, query);
      found.push(...(body['results'] as readonly { registrationId: string }[]).map((row) => row.registrationId));
      cursor = body['cursor'];
    }
    expect(found.sort()).toEqual([...names].sort());
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['7', 'must be an object or an array of objects'],
    ['{"a":{"$near":1}}', '$near'],
    ['{"$nor":[{}]}', 'the operator $nor is not supported'],
  ])('says at its field what is wrong with %s', async (where, message) => {
    const { status, body } = await page(await anApp(), asked(where));
    expect(status).toBe(400);
    expect(body['details']).toEqual([{ path: 'where', message: expect.stringContaining(message) }]);
    expect(body['error']).toMatch(/^where: (?!where)/);
  });

  it('looks at devices of that app alone', async () => {
    const [mine, other] = [await anApp(), await anApp()];
    await importing(other, [aRow({ city: 'Berlin' })]);
    expect((await page(mine, asked({ city: 'Berlin' }))).body).toEqual({ results: [], total: 0, lookedAt: 0 });
  });
});
