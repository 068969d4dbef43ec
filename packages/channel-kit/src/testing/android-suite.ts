/// <reference types="jest" />
import type { Json, JsonObject } from '@pushfleet/domain';

/** The life of a message in milliseconds, and as vendors with one form of Android notification write it. */
export const LIVES = [
  [1, '1s'],
  [1999, '1s'],
  [3_600_000, '3600s'],
  [30 * 86_400_000, '1296000s'],
] as const;

export interface AndroidSection {
  parseSection(section: JsonObject): JsonObject;
  merge(base: JsonObject, over: JsonObject): JsonObject;
  /** The vendor's field that says what a tap does. */
  readonly tap: string;
  /** The section in which the vendor's message stands so. */
  sectionOf(message: JsonObject): JsonObject;
}

/** What holds for the section of every vendor with one form of Android notification. */
export function describeAndroidSection({ parseSection, merge, tap, sectionOf }: AndroidSection): void {
  test('objects are merged deeply, a tap and lists are taken whole', () => {
    const base: JsonObject = { a: { b: 1, c: 2 }, list: [1], [tap]: { type: 1, intent: 'x' } };
    const over: JsonObject = { a: { c: 3 }, list: [2], [tap]: { type: 3 } };
    expect(merge(base, over)).toEqual({ a: { b: 1, c: 3 }, list: [2], [tap]: { type: 3 } });
  });

  test.each(['constructor', 'toString', '__proto__'])('a field called %s is one like any other', (name) => {
    const section = JSON.parse(`{"${name}":1}`) as JsonObject;
    expect(() => parseSection(section)).not.toThrow();
  });

  test.each<Json>(['constructor', { toString: 1 }, 9])('a tap of the type %j is left to the vendor', (type) => {
    expect(() => parseSection(sectionOf({ android: { notification: { [tap]: { type } } } }))).not.toThrow();
  });

  test('data is the app’s own, whatever its keys are called', () => {
    const data = { token: 't', topic: { condition: 1 }, callback: 'c' };
    const section = sectionOf({ data, android: { data } });
    expect(parseSection(section)).toEqual(section);
  });
}

export interface AndroidNotice {
  /** The notification of a message with this data and section, under the given fields of the profile. */
  noticeOf(data: JsonObject, section?: JsonObject, profile?: Readonly<Record<string, string>>): JsonObject;
  /** The vendor's names of the tap, and of what a badge counts and belongs to. */
  readonly words: Readonly<Record<'tap' | 'add' | 'set' | 'launcher', string>>;
}

const INTENT =
  'intent://cn.leancloud.push/notify_detail#Intent;scheme=lcpushscheme;S.content=%7B%22k1%22%3A%22a%20b%22%2C%22k2%22%3A%22%E4%B8%AD%22%7D;launchFlags=0x10000000;end';

/** What a tap opens on a message with the attribute `k: 'v'`. */
export const TAP_OF_K = {
  type: 1,
  intent:
    'intent://cn.leancloud.push/notify_detail#Intent;scheme=lcpushscheme;S.content=%7B%22k%22%3A%22v%22%7D;launchFlags=0x10000000;end',
};

/** What holds for the notification of every vendor with one form of it. */
export function describeAndroidNotice({ noticeOf, words: { tap, add, set, launcher } }: AndroidNotice): void {
  const badgeClass = 'com.example.Main';

  test('a tap opens the intent that app builds in the field answer, byte for byte', () => {
    expect(noticeOf({ alert: 'A', k1: 'a b', k2: '中' })[tap]).toEqual({
      type: 1,
      intent: INTENT,
    });
    expect(JSON.stringify(noticeOf({ alert: 'A' }))).toContain('S.content=%7B%7D;');
  });

  test('the intent host of the profile wins over the one of the app', () => {
    const click = JSON.stringify(noticeOf({ alert: 'A' }, {}, { intentHost: 'com.example' }));
    expect(click).toContain('intent://com.example/notify_detail#');
  });

  test.each<[number | 'Increment', JsonObject]>([
    [7, { [set]: 7 }],
    [0, { [set]: 0 }],
    ['Increment', { [add]: 1 }],
  ])('the badge %p is sent as %j', (badge, counted) => {
    const data = { alert: 'A', badge };
    expect(noticeOf(data)['badge']).toEqual(counted);
    expect(noticeOf(data, {}, { badgeClass })['badge']).toEqual({
      ...counted,
      [launcher]: badgeClass,
    });
  });

  test('a badge of the section counts alone, and the profile still names the launcher', () => {
    const badgeOf = (badge: JsonObject): unknown =>
      noticeOf({ alert: 'A', badge: 5 }, { badge }, { badgeClass })['badge'];
    expect(badgeOf({ [add]: 2 })).toEqual({ [add]: 2, [launcher]: badgeClass });
    expect(badgeOf({ [launcher]: 'own.Main' })).toEqual({
      [set]: 5,
      [launcher]: 'own.Main',
    });
  });
}
