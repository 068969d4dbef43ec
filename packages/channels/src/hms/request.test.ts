import { type PushBatch } from '@pushfleet/channel-kit';
import { batchFor, describeAndroidNotice, LIVES, StrictRules, TAP_OF_K } from '@pushfleet/channel-kit/testing';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { buildRequest } from './request';
import { parseSection } from './section';
import { refusalOf } from './testing/rules';
import { warningsFor } from './warnings';

const profile = { appId: '100000001', appSecret: 's' };

const batchOf = (data: JsonObject, section: JsonObject = {}, over: Partial<PushBatch> = {}): PushBatch =>
  batchFor('hms', { data, section: parseSection(section) }, { pushId: 'push-1', ...over });

interface Body {
  readonly validate_only: boolean;
  readonly message: {
    readonly token: readonly string[];
    readonly data: string;
    readonly notification?: JsonObject;
    readonly android: JsonObject & { readonly notification?: JsonObject & { readonly click_action: JsonObject } };
  };
}

function requestFor(batch: PushBatch, opened: Parameters<typeof buildRequest>[1] = profile) {
  const request = buildRequest(batch, opened);
  if (request.kind === 'discarded') throw new Error(request.reason);
  return request;
}

const bodyOf = (...of: Parameters<typeof requestFor>): Body => JSON.parse(requestFor(...of).body) as Body;

const noticeOf = (batch: PushBatch, opened?: Parameters<typeof buildRequest>[1]): JsonObject =>
  bodyOf(batch, opened).message.android.notification ?? {};

test('a notification is a v1 message for the registrations of the batch', () => {
  expect(bodyOf(batchOf({ alert: 'A', title: 'T', k: 'v' }))).toEqual({
    validate_only: false,
    message: {
      data: '{"k":"v"}',
      notification: { title: 'T', body: 'A' },
      android: {
        ttl: '3600s',
        bi_tag: 'push-1',
        notification: {
          click_action: TAP_OF_K,
          notify_id: expect.any(Number) as unknown,
        },
      },
      token: ['r1', 'r2'],
    },
  });
});

describeAndroidNotice({
  noticeOf: (data, section, fields) => noticeOf(batchOf(data, section), { ...profile, ...fields }),
  words: { tap: 'click_action', add: 'add_num', set: 'set_num', launcher: 'class' },
});

test('a repeat of a push replaces the first on the device', () => {
  const first = noticeOf(batchOf({ alert: 'A' }, {}, { batchId: 'b1' }));
  const second = noticeOf(batchOf({ alert: 'A' }, {}, { batchId: 'b2' }));
  const other = noticeOf(batchOf({ alert: 'A' }, {}, { pushId: 'push-2' }));
  expect(second['notify_id']).toBe(first['notify_id']);
  expect(other['notify_id']).not.toBe(first['notify_id']);
});

test('a silent message is data alone, also when the section would show something', () => {
  const section = {
    message: { notification: { title: 'T' }, android: { notification: { tag: 't' }, urgency: 'HIGH' } },
  };
  const { message } = bodyOf(batchOf({ alert: 'A', title: 'T', k: 'v', silent: true }, section));
  expect(JSON.parse(message.data)).toEqual({ alert: 'A', title: 'T', k: 'v', silent: true });
  expect(message.notification).toBeUndefined();
  expect(message.android).toEqual({ ttl: '3600s', bi_tag: 'push-1', urgency: 'HIGH' });
});

test('the message of the section is laid over the generated one, key by key', () => {
  const section = {
    message: { notification: { title: 'Own' }, android: { collapse_key: 5, notification: { foreground_show: false } } },
  };
  const { message } = bodyOf(batchOf({ alert: 'A', title: 'T' }, section));
  expect(message.notification).toEqual({ title: 'Own', body: 'A' });
  expect(message.android).toMatchObject({ collapse_key: 5, ttl: '3600s', notification: { foreground_show: false } });
  expect(message.android.notification?.click_action).toHaveProperty('intent');
});

test('a tap of the section replaces the generated one whole', () => {
  const section = { message: { android: { notification: { click_action: { type: 1, action: 'com.example.VIEW' } } } } };
  expect(noticeOf(batchOf({ alert: 'A' }, section))['click_action']).toEqual({ type: 1, action: 'com.example.VIEW' });
});

test('who receives and how receipts are told apart is not up to the section', () => {
  const message = { ...messageFor({ data: { alert: 'A' }, sections: {} }, 'hms') };
  const section = { message: { token: ['evil'], android: { bi_tag: 'evil', receipt_id: 'evil' } } };
  const batch = { ...batchOf({ alert: 'A' }), message: { ...message, section } };
  const body = bodyOf(batch, { ...profile, receiptId: 'RCP1' });
  expect(JSON.stringify(body)).not.toContain('evil');
  expect(body.message.token).toEqual(['r1', 'r2']);
  expect(body.message.android).toMatchObject({ bi_tag: 'push-1', receipt_id: 'RCP1' });
});

test.each([
  [undefined, 'RCP1'],
  ['id', 'RCP1'],
  ['url', undefined],
  ['off', undefined],
] as const)('a profile whose receipts are %s names the address %s', (receipts, named) => {
  const asking = { ...profile, receiptId: 'RCP1', ...(receipts ? { receipts } : {}) };
  expect(bodyOf(batchOf({ alert: 'A' }), asking).message.android['receipt_id']).toBe(named);
});

test('data that the section gives as an object becomes text', () => {
  expect(bodyOf(batchOf({ alert: 'A' }, { message: { data: { a: 1 } } })).message.data).toBe('{"a":1}');
});

test('the class of the message comes from the profile unless the section names one', () => {
  const classified = { ...profile, category: 'IM' };
  expect(bodyOf(batchOf({ alert: 'A' }), classified).message.android['category']).toBe('IM');
  expect(bodyOf(batchOf({ alert: 'A' }, { category: 'WORK' }), classified).message.android['category']).toBe('WORK');
  expect(bodyOf(batchOf({ alert: 'A', silent: true }), classified).message.android['category']).toBe('IM');
});

test('the notification channel is passed on', () => {
  const message = messageFor({ data: { alert: 'A' }, sections: {}, notificationChannel: 'c1' }, 'hms');
  expect(noticeOf({ ...batchOf({}), message })['channel_id']).toBe('c1');
});

test.each(LIVES)('a life of %d ms is sent as %s', (ttlMs, ttl) => {
  expect(bodyOf(batchOf({ alert: 'A' }, {}, { ttlMs })).message.android['ttl']).toBe(ttl);
});

test('the size limit counts bytes and leaves out registrations', () => {
  const registrationIds = Array.from({ length: 1000 }, (_, i) => `registration-${i}`);
  expect(buildRequest(batchOf({ alert: 'A' }, {}, { registrationIds }), profile).kind).toBe('request');
  const base = Buffer.byteLength(JSON.stringify(bodyOf(batchOf({ alert: 'x' })))) - 1 - ',"token":["r1","r2"]'.length;
  expect(buildRequest(batchOf({ alert: 'x'.repeat(4096 - base) }), profile).kind).toBe('request');
  expect(buildRequest(batchOf({ alert: 'x'.repeat(4097 - base) }), profile)).toMatchObject({
    kind: 'discarded',
    reason: 'payload-too-large',
  });
  expect(buildRequest(batchOf({ alert: '中'.repeat(1300) }), profile)).toMatchObject({ reason: 'payload-too-large' });
});

test('attributes travel once, in the intent, when twice does not fit', () => {
  for (const k of ['x'.repeat(1900), '中'.repeat(350)]) {
    const request = requestFor(batchOf({ alert: 'A', k }));
    expect(request.notes).toEqual([expect.stringContaining('attributes: in the intent')]);
    expect(request.body).not.toContain('"data"');
    expect(request.body).toContain(encodeURIComponent(JSON.stringify({ k })));
  }
  expect(requestFor(batchOf({ alert: 'A', k: 'v' })).notes).toEqual([]);
});

test('where the section has a tap of its own the attributes keep their one place', () => {
  const request = requestFor(batchOf({ alert: 'A', k: 'x'.repeat(3000) }, { action: 'com.example.VIEW' }));
  expect(request.body).toContain('x'.repeat(3000));
  expect(request.notes).toEqual([]);
});

test('the channel of the push goes with the attributes, and goes first when room is short', () => {
  const named = (k: string) => {
    const message = messageFor({ data: { alert: 'A', k }, sections: {} }, 'hms', 'news');
    return requestFor({ ...batchOf({}), message });
  };
  expect(named('v').body).toContain('%22_channel%22%3A%22news%22');
  const isCrowded = (length: number): boolean => !named('x'.repeat(length)).body.includes('_channel');
  const length = Array.from({ length: 600 }, (_, i) => 3400 + i).find(isCrowded) ?? 0;
  expect(named('x'.repeat(length)).notes).toEqual([
    expect.stringContaining('in the intent'),
    expect.stringContaining('_channel'),
  ]);
});

test('reserved names are left out and told', () => {
  const request = requestFor(batchOf({ alert: 'A', category: 'c', _x: 1, k: 'v' }));
  expect(request.notes).toEqual(['attributes: category, _x left out, reserved names']);
});

test('a notification without text reaches nobody', () => {
  expect(buildRequest(batchOf({ alert: ' ' }), profile)).toMatchObject({ reason: 'message-rejected' });
  expect(buildRequest(batchOf({ alert: '' }, { message: { notification: { body: 'B' } } }), profile).kind).toBe(
    'request',
  );
});

test('a badge that will not show is told in the answer and in the record', () => {
  const told = { path: 'data.badge', message: 'hms shows no badge: the profile has no badgeClass' };
  expect(warningsFor(batchOf({ alert: 'A', badge: 5 }).message, profile)).toEqual([told]);
  expect(requestFor(batchOf({ alert: 'A', badge: 5 })).notes).toEqual([`${told.path}: ${told.message}`]);
  expect(warningsFor(batchOf({ alert: 'A' }, { badge: { add_num: 1 } }).message, profile)).toMatchObject([
    { path: 'hms.badge' },
  ]);
  expect(warningsFor(batchOf({ alert: 'A', badge: 5 }).message, { ...profile, badgeClass: 'M' })).toEqual([]);
  expect(warningsFor(batchOf({ alert: 'A', badge: 5, silent: true }).message, profile)).toEqual([]);
});

const UNKNOWN = 'is no field that hms documents: it refuses a message with one, for all devices';

test.each<[string, JsonObject]>([
  ['hms.message.surprise', { surprise: 1 }],
  ['hms.message.android.surprise', { message: { android: { surprise: 1 } } }],
  ['hms.message.android.notification.surprise', { message: { android: { notification: { surprise: 1 } } } }],
  ['hms.message.android.notification.badge.surprise', { badge: { class: 'M', surprise: 1 } }],
])('a field that the vendor does not know is told by name, and refused by the vendor: %s', (path, section) => {
  const batch = batchOf({ alert: 'A' }, section);
  expect(warningsFor(batch.message, profile)).toEqual([{ path, message: UNKNOWN }]);
  expect(refusalOf({ ...bodyOf(batch).message }, new StrictRules({ 'system-reminder': '' }))).toBeDefined();
});

test('of many fields that the vendor does not know the first ones are told', () => {
  const section = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, i]));
  expect(warningsFor(batchOf({ alert: 'A' }, section).message, profile)).toHaveLength(5);
});

test('of a silent message what is sent of its section is looked at', () => {
  const silent = (section: JsonObject) => warningsFor(batchOf({ silent: true }, section).message, profile);
  expect(silent({ message: { android: { surprise: 1 } } })).toMatchObject([{ path: 'hms.message.android.surprise' }]);
  expect(silent({ message: { android: { urgency: 'HIGH', notification: { surprise: 1 } } } })).toEqual([]);
});

test('a big text gets what the vendor wants beside it', () => {
  const section = { message: { android: { notification: { style: 1 } } } };
  expect(noticeOf(batchOf({ alert: 'A', title: 'T' }, section))).toMatchObject({ big_title: 'T', big_body: 'A' });
});

test('urgency is left out of a notification, which the vendor would refuse for it', () => {
  const request = requestFor(batchOf({ alert: 'A' }, { urgency: 'HIGH' }));
  expect(request.body).not.toContain('urgency');
  expect(request.notes).toEqual([expect.stringContaining('hms.urgency')]);
});
