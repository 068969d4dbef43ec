import { replaceKey, type PushBatch } from '@pushfleet/channel-kit';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { lacksText, listBody, payloadOf, saveBody, savedPayloadKey, singleBody } from './request';
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
    notifyId: replaceKey({ pushId: 'pushidpushidpush', message: {} }),
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

describe('custom pairs', () => {
  const pairsOf = (attributes: JsonObject, section: JsonObject = {}) => {
    const { fields, left, notes } = payloadOf(batchOf({ data: { alert: 'B', ...attributes }, section }), PROFILE);
    return { pairs: fields['clientCustomMap'], left, notes };
  };
  const many = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, String(i)]));

  it('are sent as they are up to ten', () => {
    expect(pairsOf(many(10))).toEqual({ pairs: many(10), left: [], notes: [] });
    expect(pairsOf({}).pairs).toBeUndefined();
  });

  it('from the tenth on stand in one pair when there are more, and the record is told', () => {
    expect(pairsOf(many(12))).toEqual({
      pairs: { ...many(9), _more: '{"k9":"9","k10":"10","k11":"11"}' },
      left: [],
      notes: ['attributes: k9, k10, k11 in the pair _more'],
    });
    expect(pairsOf({}, { clientCustomMap: many(11) }).pairs).toHaveProperty('_more', '{"k9":"9","k10":"10"}');
  });

  it('are left out where there is no room for them, and the record is told', () => {
    expect(pairsOf({ k: 'x'.repeat(1023) })).toMatchObject({ left: [], notes: [] });
    expect(pairsOf({ a: 1, long: '中'.repeat(1021), z: 2 })).toEqual({
      pairs: { a: '1', z: '2' },
      left: ['long'],
      notes: ['attributes: long left out, no room'],
    });
  });

  it('have the name of the channel of the push beside them where there is room for it as it is', () => {
    const named = (attributes: JsonObject) => {
      const message = messageFor({ data: { alert: 'B', ...attributes }, sections: {} }, 'vivo', 'news');
      const { fields, left, notes } = payloadOf(batchOf({ batch: { message } }), PROFILE);
      return { pairs: fields['clientCustomMap'], left, notes };
    };
    const notes = ['attributes: the channel of the push (_channel) did not fit'];
    const long = { long: 'x'.repeat(1025) };
    expect(named(many(9))).toEqual({ pairs: { ...many(9), _channel: 'news' }, left: [], notes: [] });
    expect(named(many(10))).toEqual({ pairs: many(10), left: [], notes });
    expect(named({ k: 'x'.repeat(1020) })).toEqual({ pairs: { k: 'x'.repeat(1020) }, left: [], notes });
    expect(named(long)).toMatchObject({ pairs: { _channel: 'news' }, left: ['long'] });
    expect(named(many(11)).pairs).toEqual({ ...many(9), _more: '{"k9":"9","k10":"10"}' });
  });

  it('of a section win over the attributes', () => {
    expect(pairsOf({ a: 1 }, { clientCustomMap: { b: 2 } }).pairs).toEqual({ b: '2' });
  });
});

describe('receipts', () => {
  const receiptUrl = 'https://push.example.com/c';
  const extraOf = (profile: JsonObject, batch: Partial<PushBatch> = { receiptUrl }) =>
    fieldsOf({ batch }, profile)['extra'];
  const byUrl = { callback: receiptUrl, 'callback.param': 'pushidpushidpush' };
  const byId = { 'callback.id': '7', 'callback.param': 'pushidpushidpush' };

  it('go to the id of the profile rather than to an address, which reports single sends only', () => {
    expect(extraOf({})).toEqual(byUrl);
    expect(extraOf({ callbackId: '7' })).toEqual(byId);
    expect(extraOf({ callbackId: '7' }, {})).toEqual(byId);
    expect(extraOf({ callbackId: '7', receipts: 'id' })).toEqual(byId);
    expect(extraOf({ callbackId: '7', receipts: 'url' })).toEqual(byUrl);
    expect(extraOf({ callbackId: '7', receipts: 'off' }, {})).toBeUndefined();
  });

  it('that nobody is asked for are told to the record', () => {
    const long = `https://push.example.com/${'x'.repeat(128)}`;
    expect(payloadOf(batchOf({ batch: { receiptUrl: long } }), PROFILE).notes).toEqual([
      'receipts: none asked for, the address is over 128 characters',
    ]);
  });
});

it('a badge that goes up by one is the vendor’s addBadge, and a number is not sent', () => {
  expect(fieldsOf({ data: { alert: 'B', badge: 'Increment' } })).toMatchObject({ addBadge: true });
  expect(fieldsOf({ data: { alert: 'B', badge: 5 } })).not.toHaveProperty('addBadge');
});

it('a message without a text has nothing to show', () => {
  const isEmpty = (alert: string, section: JsonObject = {}): boolean =>
    lacksText(payloadOf(batchOf({ data: { alert }, section }), PROFILE));
  expect([isEmpty(''), isEmpty(' '), isEmpty('B'), isEmpty('', { content: 'C' })]).toEqual([true, true, false, false]);
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
