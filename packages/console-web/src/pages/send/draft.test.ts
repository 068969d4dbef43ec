import { bodyOf, draftOf, emptyDraft, isEmpty, type Draft } from './draft';

const repeated = (where: object, named?: true) =>
  bodyOf(draftOf({ msg: { alert: 'Hi' }, where: where as Record<string, unknown>, ...(named ? { named } : {}) }));
const data = { alert: 'Hi' };

it.each([
  ['everybody', {}, { data }],
  ['a condition', { city: 'x' }, { data, where: { city: 'x' } }],
  ['one device', { objectId: 'a' }, { data, object_ids: ['a'] }],
  ['a list', { installationId: { $in: ['a', 'b'] } }, { data, installation_ids: ['a', 'b'] }],
  ['a list and more', { objectId: 'a', city: 'x' }, { data, where: { objectId: 'a', city: 'x' } }],
  ['another question', { objectId: { $ne: 'a' } }, { data, where: { objectId: { $ne: 'a' } } }],
  ['a column that every object has', { constructor: 'x' }, { data, where: { constructor: 'x' } }],
  ['nothing that is an id', { installationId: null }, { data, where: { installationId: null } }],
  ['a list that is none', { objectId: ['a'] }, { data, where: { objectId: ['a'] } }],
])('a push to %s is repeated to the same', (_, where, body) => {
  expect(repeated(where)).toEqual(body);
});

it.each([{}, { deviceType: 'android' }])(
  'a push to named devices, of which %j is left, is repeated to nobody',
  (where) => {
    expect(repeated(where, true)).toBeUndefined();
  },
);

const LONG = '1234567890123456789';

it.each<[string, unknown]>([
  ['{"city":"x"}', { city: 'x' }],
  ['[{"city":"x"},{"tier":1}]', [{ city: 'x' }, { tier: 1 }]],
])('a condition may be typed as %s', (where, asked) => {
  expect(bodyOf({ ...emptyDraft(), text: 'Hi', audience: 'byWhere', where })).toEqual({ data, where: asked });
});

it.each(['', ' ', '[', '7', '"x"', 'null'])('a condition cannot be typed as %j, and nobody is meant by it', (where) => {
  expect(bodyOf({ ...emptyDraft(), text: 'Hi', audience: 'byWhere', where })).toBeUndefined();
});

it('integers that are typed as JSON keep their digits', () => {
  const draft: Draft = { ...emptyDraft(), text: 'Hi', more: `{"orderId":${LONG}}`, audience: 'byWhere' };
  const body = bodyOf({ ...draft, where: `{"userId":${LONG}}` });
  expect(body).toEqual({ data: { ...data, orderId: BigInt(LONG) }, where: { userId: BigInt(LONG) } });
});

it('integers of a push that is repeated keep their digits', () => {
  const draft = draftOf({ msg: { alert: 'Hi', orderId: BigInt(LONG) }, where: { userId: { $in: [BigInt(LONG)] } } });
  expect([draft.more, draft.where].map((text) => text.replace(/\s/g, ''))).toEqual([
    `{"orderId":${LONG}}`,
    `{"userId":{"$in":[${LONG}]}}`,
  ]);
});

it('a draft is empty until something is written', () => {
  expect(isEmpty(emptyDraft())).toBe(true);
  expect(isEmpty({ ...emptyDraft(), text: 'Hi' })).toBe(false);
});
