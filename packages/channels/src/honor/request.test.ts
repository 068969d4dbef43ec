import { type PushBatch } from '@pushfleet/channel-kit';
import { batchFor, describeAndroidNotice, LIVES, TAP_OF_K } from '@pushfleet/channel-kit/testing';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { type HonorProfile } from './profile';
import { buildRequest } from './request';
import { parseSection } from './section';
import { warningsFor } from './warnings';

const profile: HonorProfile = { appId: '104', appSecret: 's', clientId: 'c', clientSecret: 's' };

const batchOf = (data: JsonObject, section: JsonObject = {}, over: Partial<PushBatch> = {}): PushBatch =>
  batchFor('honor', { data, section: parseSection(section) }, { pushId: 'push-1', ...over });

interface Body {
  readonly token: readonly string[];
  readonly data: string;
  readonly notification?: JsonObject;
  readonly android: JsonObject & { readonly notification?: JsonObject };
}

function requestFor(batch: PushBatch, opened = profile) {
  const request = buildRequest(batch, opened);
  if (request.kind === 'discarded') throw new Error(request.reason);
  return request;
}

const bodyOf = (...of: Parameters<typeof requestFor>): Body => JSON.parse(requestFor(...of).body) as Body;

const noticeOf = (batch: PushBatch, opened?: HonorProfile): JsonObject =>
  bodyOf(batch, opened).android.notification ?? {};

test('a notification is a body of the vendor for the registrations of the batch', () => {
  expect(bodyOf(batchOf({ alert: 'A', title: 'T', k: 'v' }))).toEqual({
    data: '{"k":"v"}',
    notification: { title: 'T', body: 'A' },
    android: {
      ttl: '3600s',
      biTag: 'push-1',
      notification: {
        clickAction: TAP_OF_K,
        notifyId: expect.any(Number) as unknown,
      },
    },
    token: ['r1', 'r2'],
  });
});

describeAndroidNotice({
  noticeOf: (data, section, fields) => noticeOf(batchOf(data, section), { ...profile, ...fields }),
  words: { tap: 'clickAction', add: 'addNum', set: 'setNum', launcher: 'badgeClass' },
});

test('a silent message is data alone, also when the section would show something', () => {
  const section = { notification: { title: 'T' }, android: { targetUserType: 1, notification: { tag: 't' } } };
  const body = bodyOf(batchOf({ alert: 'A', k: 'v', silent: true }, section));
  expect(JSON.parse(body.data)).toEqual({ alert: 'A', k: 'v', silent: true });
  expect(body.notification).toBeUndefined();
  expect(body.android).toEqual({ ttl: '3600s', biTag: 'push-1', targetUserType: 1 });
});

test('the section is laid over the generated body, its tap replaces the generated one', () => {
  const section = {
    action: 'com.example.VIEW',
    notification: { title: 'Own' },
    android: { notification: { tag: 't' } },
  };
  const body = bodyOf(batchOf({ alert: 'A', title: 'T' }, section));
  expect(body.notification).toEqual({ title: 'Own', body: 'A' });
  expect(body.android.notification).toMatchObject({ tag: 't', notifyId: expect.any(Number) as unknown });
  expect(body.android.notification?.['clickAction']).toEqual({ type: 1, action: 'com.example.VIEW' });
});

test('who receives and how receipts are told apart is not up to the section', () => {
  const message = messageFor({ data: { alert: 'A' }, sections: {} }, 'honor');
  const section = { token: ['evil'], android: { biTag: 'evil' } };
  const body = bodyOf({ ...batchOf({ alert: 'A' }), message: { ...message, section } });
  expect(JSON.stringify(body)).not.toContain('evil');
  expect(body.token).toEqual(['r1', 'r2']);
});

test('the importance comes from the profile unless the section names one', () => {
  const classified = { ...profile, importance: 'NORMAL' as const };
  expect(noticeOf(batchOf({ alert: 'A' }), classified)['importance']).toBe('NORMAL');
  expect(noticeOf(batchOf({ alert: 'A' }, { importance: 'LOW' }), classified)['importance']).toBe('LOW');
});

test.each(LIVES)('a life of %d ms is sent as %s', (ttlMs, ttl) => {
  expect(bodyOf(batchOf({ alert: 'A' }, {}, { ttlMs })).android['ttl']).toBe(ttl);
});

test('a large message goes to the vendor, and registrations do not count', () => {
  const registrationIds = Array.from({ length: 1000 }, (_, i) => `registration-${i}`);
  expect(buildRequest(batchOf({ alert: 'A' }, {}, { registrationIds }), profile).kind).toBe('request');
  // The vendor documents no limit: what is larger than the assumed one is for the vendor to judge.
  expect(buildRequest(batchOf({ alert: '中'.repeat(1300) }), profile).kind).toBe('request');
});

const LONG = 'x'.repeat(1900);

test.each<readonly [data: JsonObject, section: JsonObject, notes: readonly string[]]>([
  [{ k: 'v' }, {}, []],
  [{ k: LONG }, {}, ['attributes: in the intent of the tap alone, twice is over 4096 bytes']],
  [{ k: `${LONG}${LONG}` }, { action: 'com.example.VIEW' }, []],
  [{ category: 'c', _x: 1 }, {}, ['attributes: category, _x left out, reserved names']],
])('the attributes %j beside the section %j are told as %j', (attributes, section, notes) => {
  const request = requestFor(batchOf({ alert: 'A', ...attributes }, section));
  expect(request.notes).toEqual(notes);
  expect(request.body.includes('"data"')).toBe(!notes.some((note) => note.includes('alone')));
});

test('the name of the channel goes where even one copy is too long', () => {
  const message = messageFor({ data: { alert: 'A', k: 'x'.repeat(3900) }, sections: {} }, 'honor', 'news');
  const { body, notes } = requestFor({ ...batchOf({}), message });
  expect(body).not.toContain('_channel');
  expect(notes).toHaveLength(2);
});

test('a notification without text reaches nobody', () => {
  expect(buildRequest(batchOf({ alert: ' ' }), profile)).toMatchObject({ reason: 'message-rejected' });
  expect(buildRequest(batchOf({ alert: '' }, { notification: { body: 'B' } }), profile).kind).toBe('request');
});

test('a badge that will not show is told in the answer and in the record', () => {
  const told = { path: 'data.badge', message: 'honor shows no badge: the profile has no badgeClass' };
  expect(warningsFor(batchOf({ alert: 'A', badge: 5 }).message, profile)).toEqual([told]);
  expect(requestFor(batchOf({ alert: 'A', badge: 5 })).notes).toEqual([`${told.path}: ${told.message}`]);
  expect(warningsFor(batchOf({ alert: 'A' }, { badge: { addNum: 1 } }).message, profile)).toMatchObject([
    { path: 'honor.badge' },
  ]);
  expect(warningsFor(batchOf({ alert: 'A', badge: 5 }).message, { ...profile, badgeClass: 'M' })).toEqual([]);
  expect(warningsFor(batchOf({ alert: 'A', badge: 5, silent: true }).message, profile)).toEqual([]);
});

test('a big text gets what the vendor wants beside it', () => {
  const section = { android: { notification: { style: 1 } } };
  expect(noticeOf(batchOf({ alert: 'A', title: 'T' }, section))).toMatchObject({ bigTitle: 'T', bigBody: 'A' });
});
