import { textToKeep } from './text-to-keep';

const start = { name: '', password: '' };
const secrets = ['password'];

it('keeps what was typed, and nothing of a form in which nobody typed', () => {
  expect(textToKeep({ form: { name: 'ann', password: '' }, start, secrets })).toBe('{"name":"ann"}');
  expect(textToKeep({ form: { name: '', password: '' }, start, secrets })).toBeUndefined();
});

it('keeps that a secret was typed, and never the secret', () => {
  expect(textToKeep({ form: { name: 'ann', password: 'x' }, start, secrets })).toBe('{"name":"ann"}');
  expect(textToKeep({ form: { name: '', password: 'x' }, start, secrets })).toBe('{"name":""}');
});

it('keeps the digits of a long integer', () => {
  expect(textToKeep({ form: { document: { id: 1234567890123456789n } }, start: { document: {} }, secrets })).toBe(
    '{"document":{"id":1234567890123456789}}',
  );
});
