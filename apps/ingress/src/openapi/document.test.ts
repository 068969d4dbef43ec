import { channels } from '@pushfleet/channels';
import { describeReference, expectEveryProblem } from '@pushfleet/http-edge/testing';
import { PROBLEMS } from '../http/problem';
import { documented } from '../testing/documented';
import { openApiDocument } from './document';

const document = openApiDocument(channels, 'https://push.example.com');

const { paths: operations } = document;

describeReference(document);

test('every error of the table is told of somewhere', () => expectEveryProblem(document, { problems: PROBLEMS }));

const REFUSED = [
  ...[{ prod: 'test' }, { channels: 7 }, { channels: ['a b'] }, { req_id: 'a-b' }, { where: [] }, { where: 'x' }],
  ...[
    { expiration_interval: 0 },
    { expiration_interval: '0' },
    { expiration_time: 'soon' },
    { push_time: '2026-13-01' },
  ],
  ...[{ expiration_interval: 5, expiration_time: '2026-11-21' }, { cql: 'select', where: {} }, { badge: 100 }],
];

describe('what a push may say', () => {
  const validate = documented.checkAt('components', 'schemas', 'Push');

  it.each([
    { data: { alert: 'a' } },
    { data: { silent: true, own: 1, hms: { target_user_type: 1 } }, channels: 'a', expiration_interval: '86400' },
    { data: { action: 'a', badge: 'Increment' }, where: [{ a: 1 }], limit: 3 },
    { data: {}, mi: { title: 't' }, expiration_time: '2026-11-21' },
  ])('%j is described', (body) => {
    expect(validate(body)).toBe(true);
  });

  it.each([{}, { data: 'x' }, { data: { badge: 1 } }, ...REFUSED.map((field) => ({ data: { alert: 'a' }, ...field }))])(
    '%j is not',
    (body) => {
      expect(validate(body)).toBe(false);
    },
  );
});

test('a save names its fields as fields can be named', () => {
  const validate = documented.checkAt('components', 'schemas', 'InstallationChange');
  for (const name of ['city', '_version', '__type', 'a_1']) expect(validate({ [name]: 1 })).toBe(true);
  for (const name of ['1a', 'a-b', '', '_a', 'a'.repeat(129)]) expect(validate({ [name]: 1 })).toBe(false);
});

test('a first save names a device by a word', () => {
  const validate = documented.checkAt(
    ...['paths', '/1.1/installations', 'post', 'requestBody', 'content', 'application/json', 'schema'],
  );
  for (const device of [{ deviceType: 'android' }, { deviceToken: 't' }, { deviceToken: '', installationId: 'i' }])
    expect([device, validate(device)]).toEqual([device, true]);
  for (const device of [{}, { deviceToken: '' }, { installationId: null }, { channels: [] }])
    expect([device, validate(device)]).toEqual([device, false]);
});

test.each([
  [
    {
      channels: { __op: 'Add', objects: ['news'] },
      vendor: { __op: 'Delete' },
      count: { __op: 'Increment', amount: 2 },
    },
    true,
  ],
  [{ registrationId: { __op: 'Add', objects: ['r'] } }, false],

  [{ valid: { __op: 'Increment' } }, false],
  [{ channels: { __op: 'Remove', objects: ['a b'] } }, false],
])('an operation fits what it changes: %j', (change, isDescribed) => {
  expect(documented.checkAt('components', 'schemas', 'InstallationChange')(change)).toBe(isDescribed);
});

test('the bits of an operation are a whole number', () => {
  const validate = documented.checkAt('components', 'schemas', 'Operation');
  expect([4, 0.5, '4'].map((value) => validate({ __op: 'BitOr', value }))).toEqual([true, false, false]);
});

test('the amount of an operation is a number', () => {
  const validate = documented.checkAt('components', 'schemas', 'Operation');
  const valid = [undefined, null, 1, 'x'].map((amount) =>
    validate({ __op: 'Increment', ...(amount === undefined ? {} : { amount }) }),
  );
  expect(valid).toEqual([true, true, true, false]);
});

test.each([
  [{ installation_ids: ['i'] }, true],
  [{ object_ids: ['o'] }, true],
  [{}, false],
  [{ installation_ids: ['i'], object_ids: ['o'] }, false],
  [{ installation_ids: ['i'], where: {} }, false],
])('a push to installations names them in one way: %j', (names, isDescribed) => {
  const validate = documented.checkAt('components', 'schemas', 'NamedPush');
  expect(validate({ data: { alert: 'a' }, ...names })).toBe(isDescribed);
});

const BINDING = '/1.2/rtm/clients/{clientId}/installations/{installationId}';

test.each([
  { at: ['/1.2/rtm/conversations/{id}/mutes', 'get', 'id'], good: 'c.1:a', bad: 'a/b' },
  { at: [BINDING, 'put', 'clientId'], good: 'Tom', bad: '0' },
  { at: [BINDING, 'put', 'installationId'], good: 'df0b', bad: 'a b' },
  { at: ['/1.1/notifications/{id}/devices', 'get', 'channel'], good: 'hms', bad: 'HMS' },
])('$at may be $good, not $bad', ({ at: [path = '', method = '', name], good, bad }) => {
  const { parameters = [] } = operations[path]?.[method] ?? {};
  const pattern = new RegExp(String(parameters.find((parameter) => parameter.name === name)?.schema['pattern']), 'u');
  expect([pattern.test(good), pattern.test(bad)]).toEqual([true, false]);
});

test('no parameter of a push leads to another answer than the one that is told', () => {
  for (const path of ['/1.1/push', '/1.1/push/devices', '/1.1/push/installations'])
    expect(operations[path]?.['post']).toMatchObject({
      parameters: [],
      description: expect.stringContaining('?preflight=1'),
    });
});

test('an order names fields', () => {
  const { parameters = [] } = operations['/1.1/installations']?.['get'] ?? {};
  const { schema } = parameters.find(({ name }) => name === 'order') ?? {};
  const pattern = new RegExp(String(schema?.['pattern']), 'u');
  for (const order of ['', '-createdAt', 'a,-b.c', 'a, b']) expect([order, pattern.test(order)]).toEqual([order, true]);
  for (const order of ['1a', 'a b', '$where', '--a']) expect([order, pattern.test(order)]).toEqual([order, false]);
});

test('a query in words has its words', () => {
  expect(operations['/1.1/cloudQuery']?.['get']?.parameters).toContainEqual(
    expect.objectContaining({ name: 'cql', required: true }),
  );
});
