import { replaceKey, type PushBatch } from '@pushfleet/channel-kit';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import {
  broadcastForm,
  isTooLarge,
  lacksText,
  notificationOf,
  roadOf,
  savedMessageKey,
  saveForm,
  unicastBatchForm,
  unicastForm,
} from './request';
import { parseSection } from './section';

const PROFILE = { appKey: 'AK_demo', masterSecret: 'MS_demo' };

interface Wish {
  readonly data?: JsonObject;
  readonly section?: JsonObject;
  readonly batch?: Partial<PushBatch>;
  readonly notificationChannel?: string;
}

function batchOf({ data = { alert: 'Body', title: 'Title' }, section = {}, batch, ...rest }: Wish = {}): PushBatch {
  return {
    pushId: 'pushidpushidpush',
    batchId: 'batch-1',
    message: messageFor({ data, sections: { oppo: parseSection(section) }, ...rest }, 'oppo'),
    app: { name: 'Demo', overlong: 'truncate', intentHost: 'cn.leancloud.push' },
    registrationIds: ['CN_aaa'],
    ttlMs: 7_200_000,
    ...batch,
  };
}

const fieldsOf = (wish: Wish, profile = {}): JsonObject =>
  notificationOf(batchOf(wish), { ...PROFILE, ...profile }).fields;

it('a plain message opens the app, replaces its repeat and lives as long as the push', () => {
  expect(fieldsOf({ data: { alert: 'Body', title: 'Title', k1: 'v1', k2: { a: [1] } } })).toEqual({
    style: 1,
    title: 'Title',
    content: 'Body',
    click_action_type: 0,
    action_parameters: '{"k1":"v1","k2":{"a":[1]}}',
    off_line: true,
    off_line_ttl: 7200,
    notify_id: replaceKey({ pushId: 'pushidpushidpush', message: {} }),
    call_back_parameter: 'pushidpushidpush',
  });
});

it.each([
  [1, 1],
  [60_000, 60],
  [4_000_000, 4000],
  [100 * 86_400_000, 864_000],
])('a life of %d ms is %d seconds for the vendor', (ttlMs, seconds) => {
  expect(fieldsOf({ batch: { ttlMs } })).toMatchObject({ off_line_ttl: seconds });
});

it('channel and class come from the section, else the push, else the profile', () => {
  const profile = { channelId: 'profile', category: 'IM' };
  expect(fieldsOf({}, profile)).toMatchObject({ channel_id: 'profile', category: 'IM' });
  expect(fieldsOf({ notificationChannel: 'push' }, profile)).toMatchObject({ channel_id: 'push' });
  const section = { channel_id: 'section', category: 'NEWS' };
  expect(fieldsOf({ notificationChannel: 'push', section }, profile)).toMatchObject(section);
});

it('a badge is set or increased, and absent unless asked for', () => {
  expect(fieldsOf({ data: { alert: 'B', badge: 7 } })).toMatchObject({
    badge_operation_type: 0,
    badge_message_count: 7,
  });
  const increment = fieldsOf({ data: { alert: 'B', badge: 'Increment' } });
  expect(increment).toMatchObject({ badge_operation_type: 1 });
  expect(increment).not.toHaveProperty('badge_message_count');
  expect(fieldsOf({})).not.toHaveProperty('badge_operation_type');
});

it('a receipt address over 200 bytes is left out instead of failing the push', () => {
  const receiptUrl = 'https://push.example.com/push/v1/callback/oppo/app/_default/key';
  expect(fieldsOf({ batch: { receiptUrl } })).toMatchObject({ call_back_url: receiptUrl });
  expect(fieldsOf({ batch: { receiptUrl: `https://push.example.com/${'x'.repeat(200)}` } })).not.toHaveProperty(
    'call_back_url',
  );
});

it('texts are cut to the limits of the style', () => {
  const long = '😀'.repeat(130);
  const section = { sub_title: long, style: 1 };
  const plain = notificationOf(batchOf({ data: { alert: long, title: long }, section }), PROFILE);
  expect([plain.fields['title'], plain.fields['content'], plain.fields['sub_title']]).toEqual(
    [50, 50, 10].map((points) => `${'😀'.repeat(points - 1)}…`),
  );
  expect(plain.cut).toEqual(['title', 'sub_title', 'content']);
  const longText = notificationOf(batchOf({ data: { alert: long, title: 'T' } }), PROFILE);
  expect(longText.fields).toMatchObject({ style: 2, content: `${'😀'.repeat(127)}…` });
  expect(longText.cut).toEqual(['content']);
});

it('a text that the standard style has no room for takes the long one, whole', () => {
  const alert = '😀'.repeat(128);
  const { fields, cut } = notificationOf(batchOf({ data: { alert, title: 'T' } }), PROFILE);
  expect([fields['style'], fields['content'], cut]).toEqual([2, alert, []]);
  expect(fieldsOf({ data: { alert: '😀'.repeat(50) } })['style']).toBe(1);
});

it('the channel of the push goes with the attributes while it fits', () => {
  const notesOf = (k: string) => {
    const message = messageFor({ data: { alert: 'A', k }, sections: {} }, 'oppo', 'news');
    return notificationOf({ ...batchOf(), message }, PROFILE);
  };
  expect(notesOf('v')).toMatchObject({ fields: { action_parameters: '{"k":"v","_channel":"news"}' }, notes: [] });
  const crowded = notesOf('x'.repeat(3985));
  expect(crowded.fields['action_parameters']).not.toContain('_channel');
  expect(crowded.notes).toEqual([expect.stringContaining('_channel')]);
});

it('what was left out is noted', () => {
  const receiptUrl = `https://push.example.com/${'x'.repeat(200)}`;
  const { notes } = notificationOf(batchOf({ data: { alert: 'A', category: 'c' }, batch: { receiptUrl } }), PROFILE);
  expect(notes).toEqual([expect.stringContaining('receipts'), expect.stringContaining('category')]);
});

it('a notification without text is not sent, unless its template has one', () => {
  expect(lacksText(notificationOf(batchOf({ data: { alert: ' ' } }), PROFILE))).toBe(true);
  const section = { private_msg_template_id: 't' };
  expect(lacksText(notificationOf(batchOf({ data: { alert: '' }, section }), PROFILE))).toBe(false);
});

it('attributes over 4000 characters are too large', () => {
  expect(isTooLarge(notificationOf(batchOf({ data: { alert: 'B', k: 'x'.repeat(3990) } }), PROFILE))).toBe(false);
  expect(isTooLarge(notificationOf(batchOf({ data: { alert: 'B', k: 'x'.repeat(4000) } }), PROFILE))).toBe(true);
});

it.each([
  [{}, 1, 'unicast'],
  [{}, 2, 'broadcast'],
  [{ private_msg_template_id: 't' }, 1, 'unicast'],
  [{ private_msg_template_id: 't' }, 2, 'unicast-batch'],
  [{ style: 3, big_picture_id: 'p' }, 1, 'broadcast'],
] as const)('%j to %d devices goes by %s', (section, devices, road) => {
  expect(roadOf(notificationOf(batchOf({ section }), PROFILE), devices)).toBe(road);
});

it('a single send carries the notification as JSON, addressed to one registration', () => {
  const batch = batchOf();
  const notification = notificationOf(batch, PROFILE);
  expect(JSON.parse(unicastForm(notification, batch)['message'] ?? '')).toEqual({
    target_type: 2,
    target_value: 'CN_aaa',
    verify_registration_id: false,
    notification: { app_message_id: 'batch-1', ...notification.fields },
  });
});

it('a batch of single sends has one message for each device', () => {
  const batch = batchOf({ batch: { registrationIds: ['CN_aaa', 'CN_"b'] } });
  const form = unicastBatchForm(notificationOf(batch, PROFILE), batch);
  const targets = (JSON.parse(form['messages'] ?? '') as { target_value: string }[]).map((item) => item.target_value);
  expect(targets).toEqual(['CN_aaa', 'CN_"b']);
});

it('a saved message is a flat form of text', () => {
  const section = { private_title_parameters: { name: 'Li' }, off_line: false };
  expect(saveForm(notificationOf(batchOf({ section }), PROFILE), 'pushidpushidpush')).toMatchObject({
    app_message_id: 'pushidpushidpush',
    title: 'Title',
    style: '1',
    off_line: 'false',
    private_title_parameters: '{"name":"Li"}',
  });
  expect(broadcastForm('m1', ['CN_aaa', 'CN_bbb'])).toEqual({
    message_id: 'm1',
    target_type: '2',
    target_value: 'CN_aaa;CN_bbb',
  });
});

it('pages of one push share a saved message while its life runs, other contents do not', () => {
  const keyOf = (wish: Wish): string => savedMessageKey(notificationOf(batchOf(wish), PROFILE), 'pushidpushidpush');
  expect(keyOf({ batch: { ttlMs: 9_000_000 } })).toBe(keyOf({}));
  expect(keyOf({ data: { alert: 'other' } })).not.toBe(keyOf({}));
});
