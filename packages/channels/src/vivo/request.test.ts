import { replaceKey, type PushBatch } from '@pushfleet/channel-kit';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { listBody, pairsDiscard, payloadOf, saveBody, savedPayloadKey, singleBody } from './request';
import { parseSection } from './section';

const PROFILE = { appId: '10004', appKey: 'key', appSecret: 'secret' };

interface Wish {
  readonly data?: JsonObject;
  readonly section?: JsonObject;
  readonly batch?: Partial<PushBatch>;
}

const batchOf = ({ data = { alert: 'Body', title: 'Title' }, section = {}, batch }: Wish = {}): PushBatch => ({
  pushId: 'pushidpushidpush',
  batchId: 'batch-1',
  message: messageFor({ data, sections: { vivo: parseSection(section) } }, 'vivo'),
  app: { name: 'Demo', overlong: 'truncate', intentHost: 'cn.leancloud.push' },
  registrationIds: ['reg-1'],
  ttlMs: 7_200_000,
  ...batch,
});

const fieldsOf = (wish: Wish, profile = {}): JsonObject => payloadOf(batchOf(wish), { ...PROFILE, ...profile }).fields;

it('a plain message opens the app, replaces its repeat and lives as long as the push', () => {
  expect(fieldsOf({ data: { alert: 'Body', title: 'Title', k1: 'v1', k2: { a: [1] }, k3: 3 } })).toEqual({
    appId: 10004,
    notifyType: 4,
    title: 'Title',
    content: 'Body',
    timeToLive: 7200,
    skipType: 1,
    networkType: -1,
    classification: 1,
    clientCustomMap: { k1: 'v1', k2: '{"a":[1]}', k3: '3' },
    pushMode: 0,
    notifyId: replaceKey('pushidpushidpush'),
  });
});

it.each([
  [1, 1, 60],
  [1, 2, 900],
  [4_000_000, 2, 4000],
  [100 * 86_400_000, 1, 86_400],
])('a life of %d ms for %d devices is %d seconds for the vendor', (ttlMs, devices, seconds) => {
  const registrationIds = Array.from({ length: devices }, (_, i) => `reg-${i}`);
  expect(fieldsOf({ batch: { ttlMs, registrationIds } })).toMatchObject({ timeToLive: seconds });
});

it.each([
  [{}, {}, { classification: 1 }],
  [{}, { classification: 0 }, { classification: 0 }],
  [{}, { category: 'MARKETING' }, { classification: 0, category: 'MARKETING' }],
  [{ classification: 0 }, { classification: 1 }, { classification: 0 }],
  [{ category: 'NEWS' }, { classification: 1, category: 'IM' }, { classification: 0, category: 'NEWS' }],
  [{ category: 'NEW_ONE' }, { classification: 0 }, { classification: 0, category: 'NEW_ONE' }],
  [{ classification: 1 }, { category: 'IM' }, { classification: 1, category: 'IM' }],
])('section %j and profile %j make the class %j', (section, profile, expected) => {
  const { classification, category } = fieldsOf({ section }, profile);
  expect({ classification, ...(category === undefined ? {} : { category }) }).toEqual(expected);
});

it('a category of the profile gives way to the other class in the section', () => {
  expect(fieldsOf({ section: { classification: 0 } }, { category: 'IM' })).not.toHaveProperty('category');
});

it('a receipt address over 128 characters is left out instead of failing the push', () => {
  const receiptUrl = 'https://push.example.com/push/v1/callback/vivo/app/_default/key';
  expect(fieldsOf({ batch: { receiptUrl } })).toMatchObject({
    extra: { callback: receiptUrl, 'callback.param': 'pushidpushidpush' },
  });
  expect(fieldsOf({ batch: { receiptUrl: `https://push.example.com/${'x'.repeat(128)}` } })).not.toHaveProperty(
    'extra',
  );
});

it('texts are cut to the limits', () => {
  const long = '😀'.repeat(130);
  const { fields, cut } = payloadOf(batchOf({ data: { alert: long, title: long } }), PROFILE);
  expect([fields['title'], fields['content']]).toEqual([40, 100].map((points) => `${'😀'.repeat(points - 1)}…`));
  expect(cut).toEqual(['title', 'content']);
});

it('the name of the app stands for a missing title, and the section may choose text and tap', () => {
  const section = { content: 'Other', skipType: 2, skipContent: 'https://example.com' };
  expect(fieldsOf({ data: { alert: 'Body' }, section })).toMatchObject({ ...section, title: 'Demo' });
});

it('custom pairs that the vendor would refuse are not sent', () => {
  const discardOf = (attributes: JsonObject) =>
    pairsDiscard(payloadOf(batchOf({ data: { alert: 'B', ...attributes } }), PROFILE));
  const pairs = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  expect(discardOf({})).toBeUndefined();
  expect(discardOf(pairs(10))).toBeUndefined();
  expect(discardOf(pairs(11))).toMatchObject({ kind: 'discarded', reason: 'message-rejected' });
  expect(discardOf({ k: 'x'.repeat(1023) })).toBeUndefined();
  expect(discardOf({ k: 'x'.repeat(1024) })).toMatchObject({ kind: 'discarded', reason: 'payload-too-large' });
});

it('sending, saving and listing are requests of their own, each the same when repeated', () => {
  const batch = batchOf({ batch: { registrationIds: ['reg-1', 'reg-2'] } });
  const payload = payloadOf(batch, PROFILE);
  const [single, saved, list] = [
    singleBody(payload, batch),
    saveBody(payload, batch.batchId),
    listBody(payload, batch, 'task-1'),
  ].map((body) => JSON.parse(body) as Record<string, unknown>);
  expect(single).toMatchObject({ regId: 'reg-1', requestId: 'batch-1', title: 'Title' });
  expect(saved).toMatchObject({ title: 'Title', requestId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(saved).not.toHaveProperty('regId');
  expect(list).toEqual({
    appId: 10004,
    pushMode: 0,
    taskId: 'task-1',
    requestId: 'batch-1',
    regIds: ['reg-1', 'reg-2'],
  });
  expect(saveBody(payload, batch.batchId)).toBe(saveBody(payload, batch.batchId));
});

it('pages of one push share a saved payload while its life runs, other contents do not', () => {
  const keyOf = (wish: Wish): string => savedPayloadKey(payloadOf(batchOf(wish), PROFILE), 'pushidpushidpush');
  expect(keyOf({ batch: { ttlMs: 9_000_000 } })).toBe(keyOf({}));
  expect(keyOf({ data: { alert: 'other' } })).not.toBe(keyOf({}));
});
