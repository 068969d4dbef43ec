import { openSecretBox, UnreadableSecret } from './secrets';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

it('a sealed text opens to what it was, whatever the characters', () => {
  const box = openSecretBox(key(1));
  for (const text of ['', 'secret', '密钥 \u0000 "quoted"', 'x'.repeat(100_000)])
    expect(box.open(box.seal(text))).toBe(text);
});

it('the same text never looks the same twice, and does not show', () => {
  const box = openSecretBox(key(1));
  expect(box.seal('secret')).not.toBe(box.seal('secret'));
  expect(box.seal('secret')).not.toContain('secret');
});

it('while keys rotate, the previous key opens old texts and the new one seals', () => {
  const old = openSecretBox(key(1)).seal('secret');
  const rotating = openSecretBox(key(2), key(1));
  expect(rotating.open(old)).toBe('secret');
  expect(openSecretBox(key(2)).open(rotating.seal('secret'))).toBe('secret');
});

it('another key is refused with the way out, and without the secret', () => {
  const sealed = openSecretBox(key(1)).seal('secret');
  expect(() => openSecretBox(key(2)).open(sealed)).toThrow('SECRET_KEY_PREVIOUS');
});

it('a text that was altered anywhere is refused', () => {
  const box = openSecretBox(key(1));
  const sealed = box.seal('secret');
  for (let i = 0; i < sealed.length; i += 1) {
    const other = sealed[i] === 'A' ? 'B' : 'A';
    const altered = sealed.slice(0, i) + other + sealed.slice(i + 1);
    // The last character of a base64 group may carry bits that are not part of the bytes.
    const isSameBytes = altered.split('.').every((part, n) => {
      const was = sealed.split('.')[n] ?? '';
      return n === 0 ? part === was : Buffer.from(part, 'base64url').equals(Buffer.from(was, 'base64url'));
    });
    if (!isSameBytes) expect(() => box.open(altered)).toThrow(UnreadableSecret);
  }
});

it.each(['', 'x', 'a.b.c.d', '....'])('%j is refused', (text) => {
  expect(() => openSecretBox(key(1)).open(text)).toThrow(UnreadableSecret);
});
