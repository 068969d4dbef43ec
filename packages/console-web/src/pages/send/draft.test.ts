import { bodyOf, draftOf, emptyDraft, isEmpty } from './draft';

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
])('a push to %s is repeated to the same', (_, where, body) => {
  expect(repeated(where)).toEqual(body);
});

it.each([{}, { deviceType: 'android' }])(
  'a push to named devices, of which %j is left, is repeated to nobody',
  (where) => {
    expect(repeated(where, true)).toBeUndefined();
  },
);

it('a draft is empty until something is written', () => {
  expect(isEmpty(emptyDraft())).toBe(true);
  expect(isEmpty({ ...emptyDraft(), text: 'Hi' })).toBe(false);
});
