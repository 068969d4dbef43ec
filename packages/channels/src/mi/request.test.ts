import { replaceKey, tapIntent, type BuiltRequest, type PushBatch } from '@pushfleet/channel-kit';
import { batchFor } from '@pushfleet/channel-kit/testing';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { type MiProfile } from './profile';
import { buildRequest } from './request';

const profile: MiProfile = { appId: '1', appSecret: 's3cret', packageName: 'com.example.app' };
const app = { name: 'Example', overlong: 'truncate', intentHost: 'cn.leancloud.push' } as const;

const batchOf = (data: JsonObject, over: Partial<PushBatch> = {}, section: JsonObject = {}): PushBatch =>
  batchFor('mi', { data, section }, { pushId: 'abcDEF0123456789', app, registrationIds: ['r1', 'r+/=2'], ...over });

const formOf = (batch: PushBatch, more: JsonObject = {}): Record<string, string> => {
  const request = buildRequest(batch, { ...profile, ...more }) as BuiltRequest;
  expect(request.kind).toBe('request');
  return Object.fromEntries(new URLSearchParams(request.body));
};

test('a notification carries text, data, life and keys derived from the push', () => {
  const data = { alert: 'hello', title: 'Hi', k1: 'a b', action: 'com.example.TAP' };
  expect(formOf(batchOf(data))).toEqual({
    registration_id: 'r1,r+/=2',
    restricted_package_name: 'com.example.app',
    payload: JSON.stringify(data),
    pass_through: '0',
    time_to_live: '3600000',
    title: 'Hi',
    description: 'hello',
    notify_type: '-1',
    notify_id: String(replaceKey({ pushId: 'abcDEF0123456789', message: {} })),
    'extra.jobkey': 'abcDEF0123456789',
    'extra.notify_effect': '1',
  });
});

describe('what a tap opens', () => {
  const data = { alert: 'a', k: '中' };
  const tapOf = (more: JsonObject, section?: JsonObject) => {
    const { 'extra.notify_effect': effect, 'extra.intent_uri': intent } = formOf(batchOf(data, {}, section), more);
    return [effect, intent];
  };
  const intent = tapIntent('cn.leancloud.push', { k: '中' });

  it.each<[string, JsonObject, JsonObject | undefined, readonly unknown[]]>([
    ['is the app', {}, undefined, ['1', undefined]],
    ['is the app, as the profile says', { tap: 'app' }, undefined, ['1', undefined]],
    ['is the page of hms and honor', { tap: 'page' }, undefined, ['2', intent]],
    ['is the app’s own receiver', { tap: 'receiver' }, undefined, [undefined, undefined]],
    ['is what the section says', { tap: 'page' }, { extra: { notify_effect: 1 } }, ['1', undefined]],
    [
      'is the page of the section',
      {},
      { extra: { notify_effect: '2', intent_uri: 'intent:#Intent;end' } },
      ['2', 'intent:#Intent;end'],
    ],
    ['is the app for an empty word of the section', {}, { extra: { notify_effect: '' } }, ['1', undefined]],
  ])('%s', (...[, more, section, tap]) => {
    expect(tapOf(more, section)).toEqual(tap);
  });

  it('is nothing for a message that is not shown', () => {
    expect(formOf(batchOf({ silent: true, k: 1 }), { tap: 'page' })).not.toHaveProperty(['extra.notify_effect']);
  });
});

describe('an approved template', () => {
  const more = { channelId: 'c1', templateId: 'T1', templateParam: '{"name":"x"}' };

  it('of the profile goes with its channel', () => {
    expect(formOf(batchOf({ alert: 'a' }), more)).toMatchObject({
      'extra.channel_id': 'c1',
      'extra.template_id': 'T1',
      'extra.template_param': '{"name":"x"}',
    });
  });

  it('of the section brings its own variables, as an object or as text', () => {
    for (const template_param of [{ code: 42 }, '{"code":"42"}']) {
      const form = formOf(batchOf({ alert: 'a' }, {}, { extra: { template_id: 'T2', template_param } }), more);
      expect(form).toMatchObject({ 'extra.template_id': 'T2', 'extra.template_param': '{"code":"42"}' });
    }
    expect(formOf(batchOf({ alert: 'a' }, {}, { 'extra.template_id': 'T2' }), more)).not.toHaveProperty([
      'extra.template_param',
    ]);
  });

  it.each([{ order: 1234567890123456789n }, '{"order":1234567890123456789}'])(
    'keeps every digit of %p',
    (template_param) => {
      const form = formOf(batchOf({ alert: 'a' }, {}, { extra: { template_param } }), more);
      expect(form['extra.template_param']).toBe('{"order":"1234567890123456789"}');
    },
  );

  it('takes other variables from the section', () => {
    const section = { extra: { template_param: { name: 'y' } } };
    expect(formOf(batchOf({ alert: 'a' }, {}, section), more)['extra.template_param']).toBe('{"name":"y"}');
  });

  it('is left out without a channel, and the record is told', () => {
    const request = buildRequest(batchOf({ alert: 'a' }), { ...profile, templateId: 'T1' });
    expect(request).toMatchObject({ kind: 'request', notes: ['template: left out, it needs a channel'] });
    expect(request).toHaveProperty('body', expect.not.stringContaining('template'));
  });

  it('brings a text of its own', () => {
    expect(buildRequest(batchOf({ alert: '' }), profile)).toMatchObject({ reason: 'message-rejected' });
    expect(formOf(batchOf({ alert: '' }), more)).toHaveProperty(['extra.template_id'], 'T1');
  });
});

test('a profile without pass-through discards what is silent, whoever asked for it', () => {
  const switched = { ...profile, passThrough: false };
  const verdict = { kind: 'discarded', reason: 'silent-unsupported' };
  expect(buildRequest(batchOf({ silent: true, k: 1 }), switched)).toMatchObject(verdict);
  expect(buildRequest(batchOf({ alert: 'a' }, {}, { pass_through: 1 }), switched)).toMatchObject(verdict);
  expect(buildRequest(batchOf({ alert: 'a' }), switched)).toMatchObject({ kind: 'request' });
});

test('the record is told of what the vendor has ended', () => {
  const notesOf = (data: JsonObject, more: Partial<MiProfile> = {}) =>
    (buildRequest(batchOf(data), { ...profile, ...more }) as BuiltRequest).notes;
  expect(notesOf({ silent: true })).toEqual([expect.stringContaining('data.silent: mi takes silent messages, but')]);
  expect(notesOf({ alert: 'a', action: 'com.example.TAP' })).toEqual([
    expect.stringContaining('data.action: mi opens'),
  ]);
  for (const tap of ['app', 'page', 'receiver'] as const)
    expect(notesOf({ alert: 'a', action: 'com.example.TAP' }, { tap })).toEqual([]);
  expect(notesOf({ alert: 'a' })).toEqual([]);
});

test('the channel of the push comes along where it fits', () => {
  const message = (k: string) => messageFor({ data: { alert: 'a', k }, sections: {} }, 'mi', 'news');
  expect(formOf(batchOf({}, { message: message('x') }))['payload']).toContain('"_channel":"news"');
  const large = buildRequest(batchOf({}, { message: message('x'.repeat(4060)) }), profile) as BuiltRequest;
  expect(new URLSearchParams(large.body).get('payload')).not.toContain('_channel');
  expect(large.notes).toEqual(['attributes: the channel of the push (_channel) did not fit']);
});

test('a message without title shows the name of the app', () => {
  expect(formOf(batchOf({ alert: 'a' }))['title']).toBe('Example');
});

test('a silent message is handed over without text', () => {
  const form = formOf(batchOf({ silent: true, k: 1 }));
  expect(form).toMatchObject({ pass_through: '1', payload: '{"silent":true,"k":1}' });
  expect(Object.keys(form)).not.toEqual(expect.arrayContaining(['title']));
});

test('receipts are asked for only when the fleet has an address', () => {
  const form = formOf(batchOf({ alert: 'a' }, { receiptUrl: 'https://push.example.com/cb' }));
  expect(form).toMatchObject({
    'extra.callback': 'https://push.example.com/cb',
    'extra.callback.param': 'abcDEF0123456789',
    'extra.callback.type': '1075',
  });
});

test.each([
  ['a life of weeks is cut to ten days', 20 * 86_400_000, '864000000'],
  ['a fraction of a millisecond still lives', 0.4, '1'],
])('%s', (_, ttlMs, expected) => {
  expect(formOf(batchOf({ alert: 'a' }, { ttlMs }), { channelId: 'c1' })['time_to_live']).toBe(expected);
});

test('a public message, which names no channel, lives a day', () => {
  const lifeOf = (data: JsonObject, section: JsonObject) =>
    formOf(batchOf(data, { ttlMs: 7 * 86_400_000 }, section))['time_to_live'];
  expect(lifeOf({ alert: 'a' }, {})).toBe('86400000');
  expect(lifeOf({ alert: 'a' }, { extra: { channel_id: 'c1' } })).toBe('604800000');
  expect(lifeOf({ alert: 'a' }, { time_to_live: 5 })).toBe('5');
  expect(lifeOf({ silent: true }, {})).toBe('604800000');
});

test('the message class comes from the section, else the notification channel, else the profile', () => {
  const more = { channelId: 'of-profile' };
  const message = messageFor({ data: { alert: 'a' }, sections: {}, notificationChannel: 'of-push' }, 'mi');
  expect(formOf(batchOf({ alert: 'a' }), more)['extra.channel_id']).toBe('of-profile');
  expect(formOf(batchOf({}, { message }), more)['extra.channel_id']).toBe('of-push');
  const section = { extra: { channel_id: 'of-section' } };
  expect(formOf(batchOf({ alert: 'a' }, {}, section), more)['extra.channel_id']).toBe('of-section');
});

test('a section overrides generated fields and adds its own', () => {
  const section = { notify_id: 7, 'extra.notify_effect': '2', extra: { intent_uri: 'intent:#Intent;end' } };
  expect(formOf(batchOf({ alert: 'a', sound: 'android.resource://com.x/raw/y' }, {}, section))).toMatchObject({
    notify_id: '7',
    'extra.notify_effect': '2',
    'extra.intent_uri': 'intent:#Intent;end',
    'extra.sound_uri': 'android.resource://com.x/raw/y',
  });
});

test.each([['a-push-id-of-more-than-twenty-characters'], ['_starts-with-underscore'], ['with:colon']])(
  'the job key of %s keeps the vendor’s alphabet and length',
  (pushId) => {
    const key = formOf(batchOf({ alert: 'a' }, { pushId }))['extra.jobkey'];
    expect(key).toMatch(/^[0-9a-f]{20}$/);
  },
);

test('text is cut below the vendor’s limits at code points', () => {
  const request = buildRequest(batchOf({ alert: '😀'.repeat(200), title: 'x'.repeat(50) }), profile) as BuiltRequest;
  const form = new URLSearchParams(request.body);
  expect(request.truncated).toBe(true);
  expect(form.get('title')).toBe(`${'x'.repeat(48)}…`);
  expect(form.get('description')).toBe(`${'😀'.repeat(126)}…`);
});

test('text of exactly the largest length is left alone', () => {
  const request = buildRequest(batchOf({ alert: 'y'.repeat(127), title: 'x'.repeat(49) }), profile);
  expect(request).toMatchObject({ kind: 'request', truncated: false });
});

test('an app that refuses to be cut has its devices discarded', () => {
  const batch = batchOf({ alert: 'a'.repeat(128) }, { app: { ...app, overlong: 'reject' } });
  expect(buildRequest(batch, profile)).toMatchObject({ kind: 'discarded', reason: 'message-rejected' });
});

test('a payload over 4096 bytes is not sent', () => {
  const room = 4096 - JSON.stringify({ silent: true, k: '' }).length;
  expect(buildRequest(batchOf({ silent: true, k: 'x'.repeat(room) }), profile)).toMatchObject({ kind: 'request' });
  expect(buildRequest(batchOf({ silent: true, k: 'x'.repeat(room + 1) }), profile)).toMatchObject({
    kind: 'discarded',
    reason: 'payload-too-large',
  });
});
