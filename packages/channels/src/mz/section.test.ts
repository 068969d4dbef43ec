import { SectionProblem } from '@pushfleet/channel-kit';
import { type JsonObject } from '@pushfleet/domain';
import { parseSection, sectionMessage } from './section';

test.each([
  [{ pushIds: 'a,b' }],
  [{ extra: { callback: 'https://evil.example' } }],
  [{ extra: { 'callback.param': 'x' } }],
  [{ alias: 'a' }],
  [{ topic: 't' }],
  [{ registration_id: 'r' }],
  [{ restrictedPackageNames: 'com.other' }],
  [{ 'extra.callback': 'https://evil.example' }],
])('a section never says who receives or where receipts go: %j', (section) => {
  expect(() => parseSection(section)).toThrow(SectionProblem);
});

test.each<[string, Record<string, string | number>]>([
  ['noticeBarInfo', { noticeBarInfo: 'title' }],
  ['noticeMsgType', { noticeMsgType: 2 }],
])('a section with a wrong %s names it', (field, section) => {
  expect(() => parseSection(section)).toThrow(new RegExp(field));
});

test.each<[JsonObject, string]>([
  [{ clickType: 1 }, 'clickTypeInfo.activity: is required by clickType 1'],
  [{ clickType: '1', activity: '' }, 'clickTypeInfo.activity: is required by clickType 1'],
  [{ clickType: 2, activity: 'com.example.Detail' }, 'clickTypeInfo.url: is required by clickType 2'],
  [{ clickType: 3 }, 'clickTypeInfo.customAttribute: is required by clickType 3'],
  [{ clickType: 4 }, 'clickTypeInfo.clickType: must be 0, 1, 2 or 3'],
])('a tap that goes nowhere is refused: %j', (clickTypeInfo, message) => {
  expect(() => parseSection({ clickTypeInfo })).toThrow(message);
});

test('what goes to the app may use any word', () => {
  const parameters = { topic: 't', token: 'x', callback: { alias: 'a' } };
  const section = { clickTypeInfo: { clickType: 1, activity: 'com.example.Detail', parameters } };
  expect(parseSection(section)).toEqual(section);
});

test('what restates the common data is no part of the vendor’s message', () => {
  const section = { title: 't', silent: false, advanceInfo: { suspend: 0 } };
  expect(parseSection(section)).toEqual(section);
  expect(sectionMessage(section)).toEqual({ advanceInfo: { suspend: 0 } });
});

test('the message class may stand outside its part', () => {
  expect(sectionMessage({ noticeMsgType: 1, noticeBarInfo: { noticeBarType: 2 } })).toEqual({
    noticeBarInfo: { noticeMsgType: 1, noticeBarType: 2 },
  });
});
