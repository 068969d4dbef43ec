import { columnTermsOf } from './terms';

describe('the terms of a column', () => {
  it('are texts that Redis keeps as they are, another one for each value', () => {
    const values = [
      '\ud83d',
      '\ude00',
      '\ufffd',
      '😀',
      'a\ud83d',
      '\ud83da',
      'a\nb',
      'x'.repeat(100),
      `${'x'.repeat(99)}\ud83d`,
    ];
    const terms = values.flatMap((user) => columnTermsOf({ user }, ['user']));
    expect(new Set(terms).size).toBe(values.length);
    expect(terms.map((term) => Buffer.from(term).toString())).toEqual(terms);
    expect(values.flatMap((user) => columnTermsOf({ user }, ['user']))).toEqual(terms);
    expect(terms).toContain('$user=s😀');
  });
});
