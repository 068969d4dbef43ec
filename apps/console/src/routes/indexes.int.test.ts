import { LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();

const anApp = async (): Promise<string> =>
  String((await admin.call('POST', '/apps', { name: 'Test', edition: 'commercial' })).body['id']);

const indexOf = (app: string, column: string) => `/apps/${app}/indexes/${column}`;

/** What a dispatcher does. */
async function work(app: string): Promise<void> {
  const { channels, columns } = admin.store.installations;
  await channels.noteFleet({ now: Date.now(), isFresh: () => Promise.resolve(true) });
  const settledAt = await channels.columnsSettledAt();
  await columns.work(app, { now: Date.now, settledAt, stopping: new AbortController().signal });
}

describe('/apps/:id/indexes', () => {
  it('shows an index while it is made, when it is ready, and while it goes', async () => {
    const app = await anApp();
    expect((await admin.call('GET', `/apps/${app}/indexes`)).body).toEqual({ results: [] });
    const made = await admin.call('PUT', indexOf(app, 'user'));
    const building = { column: 'user', status: 'building', declaredAt: expect.any(String) };
    expect(made).toMatchObject({ status: 200, body: { ...building, progress: { done: 0, of: 256 } } });
    expect(await admin.call('PUT', indexOf(app, 'user'))).toEqual(made);
    await work(app);
    const ready = { ...building, status: 'ready', checkedAt: expect.any(String) };
    expect((await admin.call('GET', indexOf(app, 'user'))).body).toEqual(ready);
    expect((await admin.call('GET', `/apps/${app}/indexes`)).body).toEqual({ results: [ready] });
    const gone = await admin.call('DELETE', indexOf(app, 'user'));
    expect(gone).toMatchObject({ status: 200, body: { status: 'removing', progress: { done: 0 } } });
    expect((await admin.call('GET', indexOf(app, 'user'))).body['status']).toBe('removing');
    const again = await admin.call('PUT', indexOf(app, 'user'));
    expect(again).toMatchObject({ status: 409, body: { error: expect.stringContaining('is being removed') } });
  });

  it('refuses more than an app may have, naming the limit', async () => {
    const app = await anApp();
    const most = LIMITS.columnIndexes.value;
    for (let i = 0; i < most; i += 1) expect((await admin.call('PUT', indexOf(app, `column${i}`))).status).toBe(200);
    const refused = await admin.call('PUT', indexOf(app, 'onemore'));
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining(`has ${most} indexes`) } });
    expect((await admin.call('PUT', indexOf(app, 'column0'))).status).toBe(200);
  });

  it.each([
    ['objectId', 'looked up'],
    ['channels', 'an index of its own'],
    ['valid', 'what was saved'],
    ['updatedAt', 'differs'],
    ['a.b', 'without dots'],
    ['%24user', 'name of a column'],
  ])('does not index %s', async (column, why) => {
    const answer = await admin.call('PUT', indexOf(await anApp(), column));
    expect(answer).toMatchObject({ status: 400, body: { code: 111, error: expect.stringContaining(why) } });
  });

  it('knows neither an app nor an index that is not there', async () => {
    const app = await anApp();
    const missing = await Promise.all([
      admin.call('GET', indexOf(app, 'user')),
      admin.call('DELETE', indexOf(app, 'user')),
      admin.call('GET', `/apps/${unique('no')}/indexes`),
      admin.call('PUT', indexOf(unique('no'), 'user')),
    ]);
    expect(missing.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});
