import type { JsonObject } from '../json';
import { offlinePushOf } from './offline-content';
import { parseOfflineMessage } from './offline-message';
import { conversationOf, mutableConversationOf } from './conversation-id';
import { staticPushSchema } from './static-push';

const frame = { conversation: 'c1', fallback: null, sections: {}, now: 1_790_000_000_999 };
const message = (more = {}) =>
  parseOfflineMessage({ from_client: 'Tom', offline_clients: ['Tom', 'J', 'J'], message: 'm', ...more });

test('receivers are told once, and the sender is none of them', () => {
  expect(message()).toEqual({ from: 'Tom', receivers: ['J'], isForced: false });
  expect(message({ force: true, req_id: 'r1', push_data: null })).toMatchObject({ isForced: true, reqId: 'r1' });
});

test('a variable whose value looks like one is not filled again', () => {
  const fallback = { alert: '${convId}', more: { list: ['${fromClientId}', '${timestamp}', 7, null] } };
  const push = offlinePushOf(message(), { ...frame, conversation: '${timestamp}', fallback });
  expect(push?.content).toEqual({
    ...{ data: { alert: '${timestamp}', more: { list: ['Tom', '1790000000', 7, null] } }, sections: {} },
    group: '${timestamp}',
  });
});

test('what a message brings goes before what the app says, and its variables are texts', () => {
  const said = message({ push_data: '{"alert":"${convId}"}' });
  expect(offlinePushOf(said, { ...frame, fallback: { alert: 'static' } })?.content.data).toEqual({
    alert: '${convId}',
  });
  expect(offlinePushOf(message(), frame)).toBeUndefined();
});

const SECTIONS = { ...frame, sections: { hms: (section: JsonObject) => section } };

test.each(['push_data', 'offlinePush'])('%s has sections of platforms, as a push has', (by) => {
  const said = { alert: 'a', ios: { alert: 'i' }, android: { alert: 'own' }, hms: { category: 'IM' }, k: 1 };
  const push =
    by === 'push_data'
      ? offlinePushOf(message({ push_data: said }), SECTIONS)
      : offlinePushOf(message(), { ...SECTIONS, fallback: said });
  const { ios, android, hms, ...data } = said;
  expect(push?.content).toEqual({ data, sections: { ios, android, hms }, group: 'c1' });
});

test('variables are filled in sections as well', () => {
  const fallback = { alert: 'a', hms: { title: '${fromClientId}' } };
  expect(offlinePushOf(message(), { ...SECTIONS, fallback })?.content.sections).toEqual({ hms: { title: 'Tom' } });
});

test('what static content says to the service is obeyed and not delivered', () => {
  const fallback = { alert: 'a', _profile: 'dev', _apns_team_id: 'T', _notificationChannel: 'chat' };
  expect(offlinePushOf(message(), { ...frame, fallback })).toEqual({
    content: { data: { alert: 'a' }, sections: {}, notificationChannel: 'chat', group: 'c1' },
    prod: 'dev',
  });
  expect(() => offlinePushOf(message(), { ...frame, fallback: { alert: 'a', _profile: 'test' } })).toThrow(
    /^offlinePush\._profile: must be "dev" or "prod"/,
  );
});

test('what is said to the service inside a section is not heard', () => {
  const said = message({ push_data: { alert: 'a', ios: { _profile: 'dev', _notificationChannel: 'chat' } } });
  const push = offlinePushOf(said, frame);
  expect(push?.prod).toBe('prod');
  expect(push?.content).not.toHaveProperty('notificationChannel');
});

test.each([
  [{ alert: 'a ${from}' }, ['alert'], /\$\{from\} is not a variable; there are \$\{convId\}/],
  [{ alert: 'a', hms: { title: ['${}'] } }, ['hms', 'title', '0'], /is not a variable/],
  [{ alert: 7 }, ['alert'], /string/],
  [{}, [], /say something/],
  [{ alert: 'a'.repeat(4096) }, [], /4096 bytes/],
  [{ alert: 'a', big: 2n ** 60n }, ['big'], /number/],
])('static content with a fault is refused with its path: %#', (push, path, words) => {
  const { error } = staticPushSchema.safeParse(push);
  expect(error?.issues).toContainEqual(expect.objectContaining({ path, message: expect.stringMatching(words) }));
});

test('static content may be nothing', () => {
  expect(staticPushSchema.parse(null)).toBeNull();
  expect(staticPushSchema.parse({ alert: '${convId}', silent: false })).toEqual({ alert: '${convId}', silent: false });
});

test('conversations have the ids that chat servers give them', () => {
  for (const id of ['5a2f', '_tmp:a-b', 'a.b:c_d', 'c'.repeat(128)]) expect(conversationOf(id)).toBe(id);
  for (const id of ['', 'a b', 'a/b', 'ä', '{x}', 'c'.repeat(129)])
    expect(() => conversationOf(id)).toThrow(/^conversation/);
  expect(() => mutableConversationOf('_tmp:a')).toThrow(/temporary/);
});
