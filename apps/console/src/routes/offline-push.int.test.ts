import { consoleHarness } from '../testing/console-harness';

const { call } = consoleHarness();

const NEW = { name: 'Chat', edition: 'commercial' };
const PUSHABLE = {
  alert: '${fromClientId}: ${convId}',
  _profile: 'dev',
  hms: { category: 'IM' },
  sent: '${timestamp}',
};

test('an app takes what can be pushed of its offline messages, and gives it back', async () => {
  const created = await call('POST', '/apps', { ...NEW, offlinePush: PUSHABLE });
  expect(created).toMatchObject({ status: 201, body: { offlinePush: PUSHABLE } });
  const change = { offlinePush: { hms: { notification: { body: '${convId}' } } } };
  expect(await call('PATCH', `/apps/${created.body['id']}`, change)).toMatchObject({ status: 200, body: change });
});

describe('what no offline message could be pushed with', () => {
  let id: unknown;

  beforeAll(async () => {
    ({ id } = (await call('POST', '/apps', { ...NEW, offlinePush: PUSHABLE })).body);
  });

  test.each([
    [{ badge: 'Increment' }, 'offlinePush', 'needs alert, action, silent or a section of a platform'],
    [{ alert: 'a', _profile: 'staging' }, 'offlinePush._profile', 'must be "dev" or "prod"'],
    [{ alert: 'a', hms: { topic: 't' } }, 'offlinePush.hms.topic', /not allowed here$/],
    [{ alert: 'a', ios: 'text' }, 'offlinePush.ios', 'must be an object'],
    [{ oppo: { click_action_type: 1 } }, 'offlinePush.oppo.click_action_activity', /required by click_action_type 1$/],
    [{ alert: '${from}' }, 'offlinePush.alert', /^\$\{from\} is not a variable/],
  ])('%j is refused with its place, and the setting stays', async (offlinePush, path, message) => {
    const details = [{ path, message: expect.stringMatching(message) }];
    const refused = { status: 400, body: { code: 111, details } };
    expect(await call('POST', '/apps', { ...NEW, offlinePush })).toMatchObject(refused);
    expect(await call('PATCH', `/apps/${String(id)}`, { offlinePush })).toMatchObject(refused);
    expect((await call('GET', `/apps/${String(id)}`)).body).toMatchObject({ offlinePush: PUSHABLE });
  });
});
