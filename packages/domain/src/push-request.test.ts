import { InvalidInput, type InputProblem } from './invalid-input';
import type { JsonObject } from './json';
import { LIMITS } from './limits';
import { parsePushRequest, type PushRequest, type PushRequestContext } from './push-request';

const VENDORS = new Map([
  ['HMS', 'hms'],
  ['mi', 'mi'],
]);
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const at = (ms: number): string => new Date(NOW + ms).toISOString();

const parse = (body: unknown, context: Partial<PushRequestContext> = {}): PushRequest =>
  parsePushRequest(body, { now: NOW, sections: {}, vendors: VENDORS, ...context });
const parseWith = (extra: JsonObject, context: Partial<PushRequestContext> = {}): PushRequest =>
  parse({ data: { alert: 'hi' }, ...extra }, context);

function refusal(run: () => unknown): { problem: InputProblem; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidInput) return { problem: error.problem, message: error.message };
    throw error;
  }
  throw new Error('was not refused');
}

describe('what is refused', () => {
  it.each<[string, unknown, InputProblem]>([
    ['an array as body', [], 'wrong-type'],
    ['a string as body', 'x', 'wrong-type'],
    ['null as body', null, 'wrong-type'],
    ['no data', {}, 'required-field'],
    ['null as data', { data: null }, 'required-field'],
    ['text as data', { data: 'x' }, 'wrong-type'],
    ['a list as data', { data: ['x'] }, 'wrong-type'],
    ['data that says nothing', { data: { k: 1 } }, 'required-field'],
  ])('%s', (_, body, problem) => {
    expect(refusal(() => parse(body))).toEqual({ problem, message: expect.stringMatching(/^(the body|data)\b/) });
  });

  it.each<[JsonObject, InputProblem, string]>([
    [{ where: 'x' }, 'invalid-query', 'where'],
    [{ where: { a: { $where: '1' } } }, 'invalid-query', '$where'],
    [{ cql: 'select * from _User' }, 'invalid-cql', 'cql'],
    [{ cql: 'select * from _Installation limit 3' }, 'invalid-cql', 'cql'],
    [{ cql: 'everybody' }, 'invalid-cql', 'cql'],
    [{ cql: 'select * from _Installation', where: {} }, 'invalid-query', 'cql'],
    [{ cql: 7 }, 'wrong-type', 'cql'],
    [{ channels: 7 }, 'wrong-type', 'channels'],
    [{ channels: { a: 1 } }, 'wrong-type', 'channels'],
    [{ channels: ['a b'] }, 'channel-name', 'a b'],
    [{ channels: [7] }, 'channel-name', 'channels'],
    [{ channels: [['news']] }, 'channel-name', 'channels: ["news"] is not a channel name'],
    [{ channels: 'c'.repeat(256) }, 'channel-name', 'at most 255 characters'],
    [{ channels: ['a', 'c'.repeat(256)] }, 'channel-name', 'at most 255 characters'],
    [{ push_time: 'tomorrow' }, 'push-time', 'push_time'],
    [{ push_time: 8.7e15 }, 'push-time', 'push_time'],
    [{ push_time: 1.5 }, 'push-time', 'push_time'],
    [{ push_time: { __type: 'Date' } }, 'push-time', 'push_time'],
    [{ expiration_time: { __type: 'GeoPoint', iso: at(9000) } }, 'wrong-type', 'expiration_time'],
    [{ req_id: '12345678901234567' }, 'wrong-type', 'req_id'],
    [{ req_id: 'a-b' }, 'wrong-type', 'req_id'],
    [{ req_id: '' }, 'wrong-type', 'req_id'],
    [{ req_id: 7 }, 'wrong-type', 'req_id'],
    [{ notification_id: '12345678901234567' }, 'wrong-type', 'notification_id'],
    [{ notification_id: 'a_b' }, 'wrong-type', 'notification_id'],
    [{ expiration_time: 'soon' }, 'wrong-type', 'expiration_time'],
    [{ expiration_interval: 'soon' }, 'wrong-type', 'expiration_interval'],
    [{ expiration_interval: 0 }, 'wrong-type', 'expiration_interval'],
    [{ expiration_interval: -5 }, 'wrong-type', 'expiration_interval'],
    [{ expiration_interval: '-5' }, 'wrong-type', 'expiration_interval'],
    [
      { expiration_interval: 1e300 },
      'wrong-type',
      'expiration_interval: must be a positive number of seconds, at most 999999999',
    ],
    [{ expiration_interval: '1000000000' }, 'wrong-type', 'at most 999999999'],
    [{ expiration_interval: true }, 'wrong-type', 'expiration_interval'],
    [{ expiration_time: at(5000), expiration_interval: 5 }, 'expiration-conflict', 'expiration_interval'],
    [{ expiration_time: at(-1) }, 'wrong-type', `expiration_time (read as ${at(-1)})`],
    [{ expiration_time: NOW - 5000 }, 'wrong-type', `expiration_time (read as ${at(-5000)})`],
    [{ expiration_time: at(100_000), push_time: at(200_000) }, 'wrong-type', 'expire'],
    [{ prod: 'test' }, 'wrong-type', 'prod'],
    [{ flow_control: '1000' }, 'wrong-type', 'flow_control'],
    [{ flow_control: -1 }, 'wrong-type', 'flow_control'],
    [{ over_budget: 'drop' }, 'wrong-type', 'over_budget: must be "wait" or "discard"'],
    [{ over_budget: true }, 'wrong-type', 'over_budget'],
    [{ _notificationChannel: 7 }, 'wrong-type', '_notificationChannel'],
  ])('%j', (extra, problem, word) => {
    expect(refusal(() => parseWith(extra))).toEqual({ problem, message: expect.stringContaining(word) });
  });
});

describe('what needs no alert', () => {
  it.each<[JsonObject]>([[{ silent: true }], [{ action: 'com.example.ACT' }], [{ mi: { title: 't' } }]])(
    'data %j',
    (data) => {
      expect(() => parse({ data }, { sections: { mi: (section) => section } })).not.toThrow();
    },
  );
});

describe('unknown keys', () => {
  it('are ignored, as clients copy their query parameters into the body', () => {
    const { content } = parseWith({ limit: 100, order: 'createdAt', keys: 'a', include: 'b', skip: 1, topic: 'x' });
    expect(content).toEqual({ data: { alert: 'hi' }, sections: {} });
  });

  it('null counts as absent', () => {
    const nulls = Object.fromEntries(
      ['where', 'channels', 'push_time', 'expiration_time', 'expiration_interval', 'req_id', 'notification_id'].map(
        (key) => [key, null],
      ),
    );
    expect(parseWith({ ...nulls, prod: null, flow_control: null, cql: null })).toEqual(parseWith({}));
  });
});

describe('audience', () => {
  it('without where and channels is everybody', () => {
    expect(parseWith({})).toMatchObject({ audience: {}, where: {} });
  });

  it('channels may be one name or a list, each named once', () => {
    expect(parseWith({ channels: 'news' }).audience).toEqual({ subscriptions: ['news'] });
    expect(parseWith({ channels: ['news', 'sport', 'news'] }).audience).toEqual({ subscriptions: ['news', 'sport'] });
  });

  it('an empty list of channels is nobody, never everybody', () => {
    expect(parseWith({ channels: [] }).audience).toEqual({ subscriptions: [] });
  });

  it('the empty channel name is a channel', () => {
    expect(parseWith({ channels: '' }).audience).toEqual({ subscriptions: [''] });
  });

  it('channels and where must both hold, and the record shows both', () => {
    const parsed = parseWith({ channels: ['news'], where: { city: 'Berlin' } });
    expect(parsed.audience).toEqual({ subscriptions: ['news'], predicate: { city: 'Berlin' } });
    expect(parsed.where).toEqual({ city: 'Berlin', channels: { $in: ['news'] } });
  });

  it('a where that names channels itself does not lose to the parameter', () => {
    const parsed = parseWith({ channels: ['news'], where: { channels: 'sport' } });
    expect(parsed.audience).toEqual({ subscriptions: ['news'], predicate: { channels: 'sport' } });
    expect(parsed.where).toEqual({ $and: [{ channels: 'sport' }, { channels: { $in: ['news'] } }] });
  });
});

describe('cql', () => {
  it('says what where could say', () => {
    const parsed = parseWith({ cql: "select * from _Installation where installationId = 'i'" });
    expect(parsed).toEqual(parseWith({ where: { installationId: 'i' } }));
  });
});

describe('dates in the three forms that clients send', () => {
  it.each([at(90_000), NOW + 90_000, { __type: 'Date', iso: at(90_000) }])('%j', (date) => {
    expect(parseWith({ push_time: date }).pushTime).toBe(NOW + 90_000);
    expect(parseWith({ expiration_time: date }).expiresAt).toBe(NOW + 90_000);
  });
});

describe('push_time', () => {
  it.each([
    [-60_000, `is past (read as ${at(-60_000)}): the push is sent at once`],
    [-59_999, undefined],
    [60_000, undefined],
  ])('%i ms ahead: %s', (ms, message) => {
    const warnings = message === undefined ? [] : [{ path: 'push_time', message }];
    expect(parseWith({ push_time: at(ms) }).warnings).toEqual(warnings);
  });

  it('in seconds is told as the day that it is read as', () => {
    const message = expect.stringContaining('read as 1970-01-');
    expect(parseWith({ push_time: Math.floor(NOW / 1000) }).warnings).toEqual([{ path: 'push_time', message }]);
  });

  it.each([[0], [-86_400_000], [59_999]])('%i ms ahead means now', (ms) => {
    expect(parseWith({ push_time: at(ms) }).pushTime).toBeUndefined();
  });

  it('a minute ahead or more is kept', () => {
    expect(parseWith({ push_time: at(60_000) }).pushTime).toBe(NOW + 60_000);
  });
});

describe('expiry', () => {
  it('absent leaves it to the app', () => {
    expect(parseWith({}).expiresAt).toBeUndefined();
  });

  it('is a date, with or without milliseconds', () => {
    expect(parseWith({ expiration_time: '2026-01-03T00:00:00Z' }).expiresAt).toBe(Date.UTC(2026, 0, 3));
    expect(parseWith({ expiration_time: '2026-01-03T00:00:00.250Z' }).expiresAt).toBe(Date.UTC(2026, 0, 3) + 250);
  });

  it.each([[86_400], ['86400']])('is an interval of %j seconds from now', (interval) => {
    expect(parseWith({ expiration_interval: interval }).expiresAt).toBe(NOW + 86_400_000);
  });

  it('an interval counts from push_time, and from now when push_time means now', () => {
    expect(parseWith({ expiration_interval: 60, push_time: at(120_000) }).expiresAt).toBe(NOW + 180_000);
    expect(parseWith({ expiration_interval: 60, push_time: at(-999_000) }).expiresAt).toBe(NOW + 60_000);
  });

  const LONGEST = LIMITS.longestPushLifeMs.value;
  const LATER = 120 * 86_400_000;

  it.each([
    ['expiration_time', { expiration_time: '9999-12-31T23:59:59.000Z' }, 0],
    ['expiration_time', { expiration_time: 8_640_000_000_000_000, push_time: at(LATER) }, LATER],
    ['expiration_interval', { expiration_interval: '999999999' }, 0],
  ])('an %s that is too far away is taken for the longest there is, and told', (path, fields, sentAfter) => {
    const { expiresAt, warnings } = parseWith(fields);
    expect(expiresAt).toBe(NOW + sentAfter + LONGEST);
    const message = `is more than 30 days after the push: it expires at ${at(sentAfter + LONGEST)}`;
    expect(warnings).toEqual([{ path, message }]);
  });

  it('the longest one is as it was asked for', () => {
    const { expiresAt, warnings } = parseWith({ expiration_time: at(LATER + LONGEST), push_time: at(LATER) });
    expect([expiresAt, warnings]).toEqual([NOW + LATER + LONGEST, []]);
  });

  it('is warned of also where the push comes with the last date that there is', () => {
    const { warnings } = parseWith({ push_time: 8_640_000_000_000_000 - 1, expiration_interval: 999_999_999 });
    expect(warnings).toEqual([
      {
        path: 'expiration_interval',
        message: 'is more than 30 days after the push: it expires at +275760-09-13T00:00:00.000Z',
      },
    ]);
  });
});

describe('ids', () => {
  it('of 1 to 16 letters and digits are kept', () => {
    const parsed = parseWith({ req_id: 'abcdefghij123456', notification_id: 'A' });
    expect(parsed).toMatchObject({ reqId: 'abcdefghij123456', notificationId: 'A' });
  });
});

describe('flow_control', () => {
  it.each([
    [0, 1000],
    [999, 1000],
    [1000, 1000],
    [2500.9, 2500],
  ])('%d devices per second become %d', (asked, kept) => {
    expect(parseWith({ flow_control: asked }).flowControl).toBe(kept);
  });

  it('absent is off', () => {
    expect(parseWith({})).not.toHaveProperty('flowControl');
  });
});

describe('prod', () => {
  it.each([
    [undefined, undefined, 'prod'],
    [undefined, '1', 'prod'],
    [undefined, '0', 'dev'],
    ['prod', '0', 'prod'],
    ['dev', '1', 'dev'],
  ] as const)('body %s, header %s: %s', (prod, prodHeader, expected) => {
    expect(parseWith(prod === undefined ? {} : { prod }, { prodHeader }).prod).toBe(expected);
  });
});

describe('over_budget', () => {
  it('is to wait unless the sender prefers to discard', () => {
    expect(parseWith({ over_budget: 'discard' })).toHaveProperty('overBudget', 'discard');
    for (const over_budget of ['wait', null]) expect(parseWith({ over_budget })).not.toHaveProperty('overBudget');
  });
});

it('what will not do what it looks like is told, and nothing else', () => {
  const warningsOf = (body: object) =>
    parsePushRequest(body, { now: 0, sections: {}, vendors: VENDORS }).warnings.map(({ path }) => path);
  expect(warningsOf({ data: { alert: 'a', k: 1 }, channels: ['c'], badge: 3 })).toEqual([]);
  expect(warningsOf({ data: { alert: 'a' }, chanels: ['c'], trace: 1, ios: {}, fcm: {} })).toEqual(['chanels']);
  const elsewhere = { device_ids: ['a'], installation_ids: ['b'], object_ids: ['c'] };
  expect(warningsOf({ data: { alert: 'a' }, ...elsewhere })).toEqual(Object.keys(elsewhere));
  expect(warningsOf({ data: { alert: '', aps: {} }, channels: [] })).toEqual(['data.aps', 'data.alert', 'channels']);
});

it.each(['where', 'cql', 'channels', 'push_time', 'expiration_time', 'expiration_interval', 'flow_control', 'req_id'])(
  '%s in the data is told: it chooses nothing there',
  (name) => {
    const { warnings } = parsePushRequest(
      { data: { alert: 'a', [name]: 'x' } },
      { now: 0, sections: {}, vendors: VENDORS },
    );
    const message = 'is an attribute for the app here; the parameter stands beside data';
    expect(warnings).toEqual([{ path: `data.${name}`, message }]);
  },
);

it('an attribute that is called like a parameter is none to tell of where the parameter stands in its place', () => {
  const body = { data: { alert: 'a', channels: ['x'] }, channels: ['c'] };
  expect(parsePushRequest(body, { now: 0, sections: {}, vendors: VENDORS }).warnings).toEqual([]);
});

it.each([
  [
    { data: { alert: 'a', HMS: { title: 't' } } },
    'data.HMS',
    'is an attribute for the app here; the section is called hms',
  ],
  [
    { data: { alert: 'a', Android: {} } },
    'data.Android',
    'is an attribute for the app here; the section is called android',
  ],
  [{ data: { alert: 'a' }, HMS: { title: 't' } }, 'HMS', 'is not read; hms is the parameter of a similar name'],
  [{ data: { alert: 'a' }, Mi: {} }, 'Mi', 'is not read; mi is the parameter of a similar name'],
])('a section in other letters than its own is told: %j', (body, path, message) => {
  const sections = { hms: (section: JsonObject) => section, mi: (section: JsonObject) => section };
  expect(parsePushRequest(body, { now: 0, sections, vendors: VENDORS }).warnings).toEqual([{ path, message }]);
});

it('an attribute that is no object is no section in other letters', () => {
  const sections = { mi: (section: JsonObject) => section };
  expect(parsePushRequest({ data: { alert: 'a', MI: 5 } }, { now: 0, sections, vendors: VENDORS }).warnings).toEqual(
    [],
  );
});

it.each([
  ['2026-01-21T10:00:00', '2026-01-21T10:00:00.000Z'],
  ['2026-01-21', '2026-01-21T00:00:00.000Z'],
])('a time without a zone, %s, is told as the time that it is read as', (text, readAs) => {
  const message = `has no zone: read as ${readAs}`;
  expect(parseWith({ push_time: text }).warnings).toEqual([{ path: 'push_time', message }]);
  expect(parseWith({ expiration_time: { __type: 'Date', iso: text } }).warnings).toEqual([
    { path: 'expiration_time', message },
  ]);
});

it.each(['2026-06-01T10:00:00Z', '2026-06-01T10:00:00.5+08:00', '2026-06-01T10:00+0800'])('%s has a zone', (text) => {
  expect(parseWith({ push_time: text, expiration_time: text.replace('06-01', '06-02') }).warnings).toEqual([]);
});

it.each(['alert', 'title', 'silent', 'sound', 'action'])('%s beside the data is told, with its place', (name) => {
  const { warnings } = parsePushRequest(
    { data: { alert: 'a' }, [name]: 'x' },
    { now: 0, sections: {}, vendors: VENDORS },
  );
  expect(warnings).toEqual([{ path: name, message: `is not read beside data; its place is data.${name}` }]);
});

it('an empty list of conditions is not everybody', () => {
  const parse = (where: unknown) =>
    parsePushRequest({ data: { alert: 'a' }, where }, { now: 0, sections: {}, vendors: VENDORS });
  expect(() => parse([])).toThrow(expect.objectContaining({ problem: 'invalid-query' }));
  expect(parse([{ k: 1 }]).where).toEqual({ $and: [{ k: 1 }] });
});

describe('a vendor in the condition', () => {
  const slip = 'hms is no vendor of a device; HMS is';

  it.each<[string, JsonObject, readonly string[]]>([
    ['by the name of its channel', { vendor: 'hms' }, [slip]],
    ['in other letters', { vendor: 'Mi' }, ['Mi is no vendor of a device; mi is']],
    ['in a list', { vendor: { $in: ['HMS', 'hms', 'mi'] } }, [slip]],
    ['that is excluded', { vendor: { $ne: 'hms' } }, [slip]],
    ['in a list of excluded ones', { vendor: { $nin: ['hms'] } }, [slip]],
    ['in an alternative', { $or: [{ vendor: 'HMS' }, { $and: [{ vendor: 'hms' }] }] }, [slip]],
    ['twice', { $or: [{ vendor: 'hms' }, { vendor: { $in: ['hms'] } }] }, [slip]],
    ['in a sub-query', { pal: { $inQuery: { className: '_Installation', where: { vendor: 'hms' } } } }, [slip]],
    ['that has no channel', { vendor: 'fcm' }, ['fcm is none of HMS, mi: there is no channel for it']],
    ['as devices have it', { vendor: { $in: ['HMS', 'mi'] }, level: 'hms' }, []],
    [
      'that stands for the own channel',
      { $or: [{ vendor: { $in: ['', 'lc', null] } }, { vendor: { $exists: false } }] },
      [],
    ],
  ])('%s', (_, where, messages) => {
    const told = messages.map((message) => ({ path: 'where.vendor', message }));
    expect(parseWith({ where }).warnings).toEqual(told);
  });

  it('is told of a cql too', () => {
    const cql = "select * from _Installation where vendor = 'hms'";
    expect(parseWith({ cql }).warnings).toEqual([{ path: 'where.vendor', message: slip }]);
  });
});
