import { channelNames, channels, type ChannelName } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { Fleet, type DemoApp } from './fleet';

interface Message {
  readonly pushId: string;
  readonly registrationIds: readonly string[];
  readonly message: Readonly<Record<string, unknown>>;
}

const EMPTY = 'is empty: the push is for nobody';

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp([...channelNames]));
  for (const name of channelNames) {
    const { vendor } = channels[name];
    const installation = { installationId: name, vendor, registrationId: `registration-${name}` };
    await fleet.call(app, ['POST', '/installations'], { deviceType: 'android', ...installation });
  }
});

afterAll(() => fleet.stop());

/** The message of a push as each vendor got it. */
async function messagesOf(push: object): Promise<Record<ChannelName, Message['message']>> {
  await fleet.simulator('DELETE', '');
  const { objectId } = await fleet.push(app, push);
  const record = await fleet.done(app, objectId);
  expect(record.errors.filter(({ reason }) => reason !== 'silent-unsupported')).toEqual([]);
  const messages = {} as Record<ChannelName, Message['message']>;
  for (const name of channelNames) {
    const { results } = await fleet.simulator<{ results: Message[] }>('GET', `/messages?channel=${name}&limit=1`);
    if (!results[0]) continue;
    expect([name, results[0].pushId, results[0].registrationIds]).toEqual([name, objectId, [`registration-${name}`]]);
    messages[name] = results[0].message;
  }
  return messages;
}

const ATTRIBUTES = { k1: 'a b', k2: '中' };
const INTENT =
  'intent://cn.leancloud.push/notify_detail#Intent;scheme=lcpushscheme;' +
  'S.content=%7B%22k1%22%3A%22a%20b%22%2C%22k2%22%3A%22%E4%B8%AD%22%7D;launchFlags=0x10000000;end';
const NO_ATTRIBUTES = INTENT.replace(/S\.content=[^;]*/, 'S.content=%7B%7D');
const BADGE_CLASS = 'com.example.app.MainActivity';

/** Two hours, less what the way to the vendor took. */
const SECONDS = /^7(200|19\d)s$/;
const inSeconds = { asymmetricMatch: (value: unknown) => typeof value === 'number' && value > 7190 && value <= 7200 };
const json = (expected: unknown) => ({
  asymmetricMatch: (value: unknown) =>
    typeof value === 'string' && JSON.stringify(JSON.parse(value)) === JSON.stringify(expected),
});

test('every vendor gets title, text, attributes, life, badge, sound and notification channel in its own words', async () => {
  const presentation = { badge: 5, sound: 'ding', _notificationChannel: 'news', action: 'com.example.TAP' };
  const data = { alert: 'Hello', title: 'Greeting', ...ATTRIBUTES, ...presentation };
  const got = await messagesOf({ data, expiration_interval: 7200 });
  expect(got.hms).toMatchObject({
    data: json(ATTRIBUTES),
    notification: { title: 'Greeting', body: 'Hello' },
    android: {
      ttl: expect.stringMatching(SECONDS),
      category: 'IM',
      notification: {
        click_action: { type: 1, intent: INTENT },
        channel_id: 'news',
        badge: { set_num: 5, class: BADGE_CLASS },
      },
    },
  });
  expect(got.honor).toMatchObject({
    data: json(ATTRIBUTES),
    notification: { title: 'Greeting', body: 'Hello' },
    android: {
      ttl: expect.stringMatching(SECONDS),
      notification: {
        clickAction: { type: 1, intent: INTENT },
        importance: 'NORMAL',
        badge: { setNum: 5, badgeClass: BADGE_CLASS },
      },
    },
  });
  expect(got.mi).toMatchObject({
    title: 'Greeting',
    description: 'Hello',
    pass_through: '0',
    restricted_package_name: 'com.example.app',
    time_to_live: expect.stringMatching(/^7(200000|19\d{4})$/),
    'extra.sound_uri': 'ding',
    'extra.notify_effect': '1',
    'extra.channel_id': 'news',
  });
  expect(JSON.parse(String(got.mi['payload']))).toMatchObject({
    alert: 'Hello',
    ...ATTRIBUTES,
    action: 'com.example.TAP',
  });
  expect(got.mz).toMatchObject({
    noticeBarInfo: { title: 'Greeting', content: 'Hello' },
    clickTypeInfo: { clickType: 0, parameters: { ...ATTRIBUTES, action: 'com.example.TAP' } },
    pushTimeInfo: { offLine: 1, validTime: 2 },
  });
  expect(got.vivo).toMatchObject({
    title: 'Greeting',
    content: 'Hello',
    skipType: 1,
    classification: 1,
    timeToLive: inSeconds,
    clientCustomMap: ATTRIBUTES,
  });
  expect(got.oppo).toMatchObject({
    title: 'Greeting',
    content: 'Hello',
    click_action_type: 0,
    action_parameters: json(ATTRIBUTES),
    off_line: true,
    off_line_ttl: inSeconds,
    channel_id: 'news',
    badge_operation_type: 0,
    badge_message_count: 5,
  });
  for (const name of ['mi', 'mz', 'vivo'] as const)
    expect(JSON.stringify({ ...got[name], payload: undefined })).not.toContain('badge');
});

test('what is not asked for is not sent', async () => {
  const got = await messagesOf({ data: { alert: 'Hello' } });
  const text = JSON.stringify(got);
  for (const word of ['badge', 'sound_uri', 'channel_id', 'action_parameters', 'clientCustomMap'])
    expect([word, text.includes(word)]).toEqual([word, false]);
  expect(got.hms).toMatchObject({
    notification: { title: 'demo', body: 'Hello' },
    android: { notification: { click_action: { type: 1, intent: NO_ATTRIBUTES } } },
  });
  expect([got.mi['title'], got.vivo['title'], got.oppo['title']]).toEqual(['demo', 'demo', 'demo']);
  expect([got.honor, got.mz]).toMatchObject([
    { notification: { title: 'demo' } },
    { noticeBarInfo: { title: 'demo' }, clickTypeInfo: { clickType: 0 } },
  ]);
});

test('a section overrides what was generated for its own vendor, inside data before beside it', async () => {
  const got = await messagesOf({
    data: {
      alert: 'Hello',
      title: 'Greeting',
      badge: 'Increment',
      hms: { title: 'own hms', category: 'WORK', click_action: { type: 3 } },
      mi: { title: 'own mi', 'extra.notify_effect': '1' },
      oppo: { title: 'own oppo', click_action_type: 3, click_action_activity: 'com.example.Detail' },
    },
    hms: { title: 'beside' },
    mz: { title: 'own mz', clickTypeInfo: { clickType: 2, url: 'https://example.com' } },
    vivo: { title: 'own vivo', skipType: 2, skipContent: 'https://example.com' },
    honor: { title: 'own honor', android: { notification: { importance: 'LOW' } } },
  });
  expect(got.hms).toMatchObject({
    notification: { title: 'own hms', body: 'Hello' },
    android: { category: 'WORK', notification: { click_action: { type: 3 }, badge: { add_num: 1 } } },
  });
  expect(got.honor).toMatchObject({
    notification: { title: 'own honor', body: 'Hello' },
    android: { notification: { importance: 'LOW', badge: { addNum: 1 } } },
  });
  expect(got.mi).toMatchObject({ title: 'own mi', description: 'Hello', 'extra.notify_effect': '1' });
  expect(got.mz).toMatchObject({
    noticeBarInfo: { title: 'own mz', content: 'Hello' },
    clickTypeInfo: { clickType: 2, url: 'https://example.com' },
  });
  expect(got.vivo).toMatchObject({ title: 'own vivo', skipType: 2, skipContent: 'https://example.com' });
  expect(got.oppo).toMatchObject({
    title: 'own oppo',
    click_action_type: 4,
    click_action_activity: 'com.example.Detail',
    badge_operation_type: 1,
  });
  expect(got.oppo).not.toHaveProperty('badge_message_count');
});

test('a silent push is handed to the app where the vendor can, and goes nowhere else', async () => {
  const got = await messagesOf({ data: { silent: true, k: 1 } });
  expect(Object.keys(got).sort()).toEqual(
    channelNames.filter((name) => channels[name].capabilities.passThrough).sort(),
  );
  expect(got.hms).toMatchObject({ data: json({ silent: true, k: 1 }) });
  expect(got.hms).not.toHaveProperty('notification');
  expect(got.honor).toMatchObject({ data: json({ silent: true, k: 1 }) });
  expect(got.mi).toMatchObject({ pass_through: '1', payload: json({ silent: true, k: 1 }) });
});

describe('what does not reach a device as its sender may expect', () => {
  let bare: DemoApp;

  beforeAll(async () => {
    bare = await fleet.createApp();
    const { badgeClass: _, ...profile } = simulatorProfiles.hms;
    await fleet.admin('PUT', `/apps/${bare.id}/profiles/hms/_default`, profile);
    const device = { installationId: 'bare', vendor: 'HMS', registrationId: 'registration-bare' };
    await fleet.call(bare, ['POST', '/installations'], { deviceType: 'android', ...device });
  });

  test('is told in the answer, and counted in the record', async () => {
    await fleet.simulator('DELETE', '');
    const data = { alert: 'Hello', long: '中'.repeat(400), category: 'x' };
    const answer = await fleet.push(bare, { data, badge: 5, channels: [], where: { installationId: 'bare' } });
    expect(answer).toMatchObject({ warnings: expect.arrayContaining([{ path: 'channels', message: EMPTY }]) });
    const { objectId, ...told } = await fleet.push(bare, { data, badge: 5 });
    expect(told).toMatchObject({
      warnings: [
        { path: 'data.category', message: expect.stringContaining('reserved') },
        { path: 'data.badge', message: expect.stringContaining('badgeClass') },
      ],
    });
    await fleet.done(bare, objectId);
    const record = await fleet.admin<{ warnings: { channel: string; message: string; count: number }[] }>(
      'GET',
      `/apps/${bare.id}/pushes/${objectId}`,
    );
    const words = record.warnings.map(({ message }) => message.slice(0, 20)).sort();
    expect(words).toEqual(['attributes: category', 'attributes: in the i', 'data.badge: hms show']);
    expect(record.warnings.every(({ channel, count }) => channel === 'hms' && count === 1)).toBe(true);
    const { results } = await fleet.simulator<{ results: Message[] }>('GET', '/messages?channel=hms&limit=1');
    expect(results[0]?.message).not.toHaveProperty('data');
    expect(decodeURIComponent(JSON.stringify(results[0]?.message))).toContain('中'.repeat(400));
  });

  test('a plain push is answered as ever', async () => {
    const answer = await fleet.push(bare, { data: { alert: 'Hello', k: 'v' } });
    expect(Object.keys(answer)).toEqual(['objectId', 'createdAt']);
  });
});

test('an integer that a double cannot hold reaches every vendor with its digits, from a condition on another', async () => {
  const id = 1234567890123456789n;
  for (const name of channelNames)
    await fleet.call(app, ['POST', '/installations'], { installationId: name, deviceType: 'android', userId: id });
  const got = await messagesOf({ where: { userId: id }, data: { alert: 'A', order: id } });
  expect(Object.keys(got).sort()).toEqual([...channelNames].sort());
  expect(got.hms['data']).toBe(`{"order":${id}}`);
  expect(got.honor['data']).toBe(`{"order":${id}}`);
  for (const name of ['mi', 'oppo', 'vivo'] as const) expect(JSON.stringify(got[name])).toContain(String(id));
});

test('a push to exactly one channel names it where the Android SDK reads it; one to two channels names none', async () => {
  for (const name of channelNames)
    await fleet.call(app, ['POST', '/installations'], {
      ...{ installationId: name, deviceType: 'android', channels: ['news', 'sports'] },
    });
  const read = ({ hms, honor, mi, mz }: Record<ChannelName, Message['message']>): readonly string[] =>
    [hms, honor, mi, mz].map((message) => JSON.stringify(message));
  const one = read(await messagesOf({ channels: ['news'], data: { alert: 'A', ...ATTRIBUTES } }));
  const two = read(await messagesOf({ channels: ['news', 'sports'], data: { alert: 'A', ...ATTRIBUTES } }));
  // Escaped once or twice: the vendors carry it as text within text.
  for (const text of one) expect(text).toMatch(/_channel(\\*"|%22)(:|%3A)(\\*"|%22)news/);
  for (const text of two) expect(text).not.toContain('_channel');
});
