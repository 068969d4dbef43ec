import { openText, partsOf, sealingKey, sealText, UnreadableSecret, type SecretContext } from './sealed-text';

const key = (byte: number) => sealingKey(Buffer.alloc(32, byte).toString('base64'));
const context: SecretContext = { kind: 'app-key', owner: 'app-a', field: 'masterKey' };
const seal = (plain: string, of = key(1)): string => sealText(of, { plain, context });

it('a sealed text opens to what it was, whatever the characters', () => {
  for (const text of ['', 'secret', '密钥 \u0000 "quoted"', 'x'.repeat(100_000)])
    expect(openText(key(1), seal(text), context)).toBe(text);
});

it('the same text never looks the same twice, and does not show', () => {
  expect(seal('secret')).not.toBe(seal('secret'));
  expect(seal('secret')).not.toContain('secret');
});

// What later releases must open; made with another implementation of AES-256-GCM.
const VECTORS = [
  {
    context,
    plain: 'master key of app a',
    sealed: '2.cs1uhC.AAECAwQFBgcICQoL.-hx_H5-8BtwBYc-wWOSMfA.1sfmUkWMJhKbE8erRkmp097mCg',
  },
  {
    context: { kind: 'mac-key', owner: 'user "1"', field: 'client/digest' } as const,
    plain: '密钥',
    sealed: '2.cs1uhC.AAECAwQFBgcICQoL.q_isDQw-vZ3AKmqzaE2dmw.XgkTz7Jb',
  },
  {
    context: undefined,
    plain: 'of an earlier release',
    sealed: 'cs1uhC.AAECAwQFBgcICQoL.bAyLJghfrrg6_KLb-DqzSg.1MC1R07eYxiMBo6hUkm6xsKjCnmQ',
  },
];

it.each(VECTORS)('$plain is sealed as it always was', ({ context: of, plain, sealed }) => {
  const iv = Buffer.from('000102030405060708090a0b', 'hex');
  expect(sealText(key(1), { plain, context: of, iv })).toBe(sealed);
  expect(openText(key(1), sealed, of ?? context)).toBe(plain);
});

it.each<[string, Partial<SecretContext>]>([
  ['another app', { owner: 'app-b' }],
  ['another field', { field: 'key' }],
  ['another kind', { kind: 'profile' }],
  ['a field that runs over into its owner', { owner: 'app-', field: 'amasterKey' }],
])('it does not open in the place of %s', (_, other) => {
  expect(() => openText(key(1), seal('secret'), { ...context, ...other })).toThrow(UnreadableSecret);
});

it('a text loses its context as little as it gets one', () => {
  const { keyId, iv, tag, text } = partsOf(seal('secret'));
  expect(() => openText(key(1), [keyId, iv, tag, text].join('.'), context)).toThrow(UnreadableSecret);
  const old = sealText(key(1), { plain: 'secret', context: undefined });
  expect(() => openText(key(1), `2.${old}`, context)).toThrow(UnreadableSecret);
});

it('a text that was altered anywhere is refused', () => {
  const sealed = seal('secret');
  const bytesOf = (text: string): readonly string[] =>
    text.split('.').map((part, n) => (n < 2 ? part : Buffer.from(part, 'base64url').toString('hex')));
  for (let i = 0; i < sealed.length; i += 1) {
    const altered = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
    // The last character of a base64 group may carry bits that are not part of the bytes; a key is found by its id.
    const isSame = bytesOf(altered).every((part, n) => n === 1 || part === bytesOf(sealed)[n]);
    if (!isSame) expect(() => openText(key(1), altered, context)).toThrow(UnreadableSecret);
  }
});

it('another key does not open it', () => {
  expect(() => openText(key(2), seal('secret'), context)).toThrow(UnreadableSecret);
});

it.each(['', 'x', 'a.b.c.d', '....', '2.a.b.c.d'])('%j is refused', (text) => {
  expect(() => openText(key(1), text, context)).toThrow(UnreadableSecret);
});
