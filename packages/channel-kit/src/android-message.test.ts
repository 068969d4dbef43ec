import { LIVES } from './testing/android-suite';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { attemptsOf, lacksBody, secondsText, withoutNotification, withTextData } from './android-message';

const ROOM = { maxBytes: 4096, hasOwnTap: false };
const messageOf = (data: JsonObject, channel?: string) => messageFor({ data, sections: {} }, 'demo', channel);
const notesOf = (...call: Parameters<typeof attemptsOf>) => [...attemptsOf(...call)].map(({ notes }) => notes);

test('the second copy of the attributes goes first, then the name of the channel', () => {
  const once = 'attributes: in the intent of the tap alone, twice is over 4096 bytes';
  const unnamed = 'attributes: the channel of the push (_channel) did not fit';
  expect(notesOf(messageOf({ alert: 'A', k: 'v' }, 'news'), ROOM)).toEqual([[], [once], [once, unnamed]]);
  const last = [...attemptsOf(messageOf({ alert: 'A', k: 'v' }, 'news'), ROOM)].at(-1);
  expect(last).toMatchObject({ isOnce: true, message: { attributes: { k: 'v' } } });
});

test('attributes that have one place only keep it', () => {
  expect(notesOf(messageOf({ alert: 'A', k: 'v' }), { ...ROOM, hasOwnTap: true })).toEqual([[]]);
  expect(notesOf(messageOf({ alert: 'A', k: 'v', silent: true }), ROOM)).toEqual([[]]);
  expect(notesOf(messageOf({ alert: 'A' }), ROOM)).toEqual([[]]);
});

test('a notification needs a body, in one of two places', () => {
  expect(lacksBody({ notification: { title: 'T' } })).toBe(true);
  expect(lacksBody({ notification: { body: ' ' } })).toBe(true);
  expect(lacksBody({ notification: { title: 'T' }, android: { notification: { body: 'B' } } })).toBe(false);
  expect(lacksBody({ data: 'x', android: {} })).toBe(false);
});

test('a silent message keeps everything but its notification', () => {
  const message = { data: 'x', notification: { body: 'B' }, android: { ttl: '1s', notification: { tag: 't' } } };
  expect(withoutNotification(message)).toEqual({ data: 'x', android: { ttl: '1s' } });
});

test('data is text, however a sender gave it', () => {
  expect(withTextData({ data: { a: 1 } })).toEqual({ data: '{"a":1}' });
  expect(withTextData({ data: 'x' })).toEqual({ data: 'x' });
  expect(withTextData({})).toEqual({});
});

test.each(LIVES)('a life of %d ms is %s', (ttlMs, text) => {
  expect(secondsText(ttlMs, 15 * 86_400)).toBe(text);
});
