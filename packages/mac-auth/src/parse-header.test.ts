import { MAX_MAC_HEADER_LENGTH, parseMacHeader } from './parse-header';

const header = { id: '1/a-_b', ts: '1618221750', nonce: 'QUJD+/==', mac: 'XWTPmq6A6LzgK8BbNDwj+kE4gzs=' };
const attributes = Object.entries(header).map(([name, value]) => `${name}="${value}"`);
const [id = '', ts = '', nonce = '', mac = ''] = attributes;

it.each([
  ['no white space', `MAC ${attributes.join(',')}`],
  ['a space after each comma', `MAC ${attributes.join(', ')}`],
  ['white space around each attribute', `MAC  \t${attributes.join(' ,\t ')} `],
  ['another order', `MAC ${[...attributes].reverse().join(',')}`],
  ['a scheme in lower case', `mac ${attributes.join(',')}`],
  ['names in upper case', `MAC ${attributes.join(',').replace('id=', 'ID=').replace('ts=', 'Ts=')}`],
])('reads %s', (_name, value) => {
  expect(parseMacHeader(value)).toEqual(header);
});

it('reads white space around the equals sign', () => {
  expect(parseMacHeader(`MAC id = "a",ts= "1",nonce ="n",mac="m"`)).toEqual({ id: 'a', ts: '1', nonce: 'n', mac: 'm' });
});

it('keeps leading zeros of ts, which are signed as they are', () => {
  expect(parseMacHeader(`MAC ${id},ts="0000000001",${nonce},${mac}`).ts).toBe('0000000001');
});

const without = (index: number): string => `MAC ${attributes.filter((_, i) => i !== index).join(',')}`;
const twice = (index: number): string => `MAC ${[...attributes, attributes[index]].join(',')}`;
const empty = (index: number): string =>
  `MAC ${attributes.map((text, i) => (i === index ? text.replace(/".*"/, '""') : text)).join(',')}`;
const oversized = (index: number): string =>
  `MAC ${attributes.map((text, i) => (i === index ? text.replace(/".*"/, `"${'1'.repeat(2049)}"`) : text)).join(',')}`;

it.each([
  ['no header', undefined, /missing/],
  ['an empty header', '', /missing/],
  ['another scheme', 'Bearer abc', /scheme MAC/],
  ['the scheme alone', 'MAC', /scheme MAC/],
  ['a scheme that begins alike', `MACHINE ${attributes.join(',')}`, /scheme MAC/],
  ['no attributes', 'MAC  ', /malformed/],
  ['no id', without(0), /lacks id/],
  ['no ts', without(1), /lacks ts/],
  ['no nonce', without(2), /lacks nonce/],
  ['no mac', without(3), /lacks mac/],
  ['id twice', twice(0), /id is given more than once/],
  ['ts twice', twice(1), /ts is given more than once/],
  ['nonce twice', twice(2), /nonce is given more than once/],
  ['mac twice', twice(3), /mac is given more than once/],
  ['an empty id', empty(0), /id is empty/],
  ['an empty ts', empty(1), /ts is empty/],
  ['an empty nonce', empty(2), /nonce is empty/],
  ['an empty mac', empty(3), /mac is empty/],
  ['an id too long', oversized(0), /id is longer than 2048/],
  ['a ts too long', oversized(1), /ts is longer than 15/],
  ['a nonce too long', oversized(2), /nonce is longer than 128/],
  ['a mac too long', oversized(3), /mac is longer than 128/],
  ['an unknown attribute', `MAC ${attributes.join(',')},ext="a"`, /unknown attribute/],
  ['an older draft', `MAC ${id},nonce="264095:dj83hs9s",mac="SLDJd4mg43cjQfElUs3Qub4L6xE="`, /lacks ts/],
  ['an older draft with a body hash', `MAC ${id},nonce="264095:dj83hs9s",bodyhash="k9kb=",${mac}`, /unknown attribute/],
  ['an attribute named like a built-in', `MAC ${attributes.join(',')},constructor="a"`, /unknown attribute/],
  ['values without quotes', `MAC id=a,ts=1,nonce=b,mac=c`, /malformed/],
  ['a quote within a value', `MAC id="a"b",${ts},${nonce},${mac}`, /malformed/],
  ['a backslash within a value', `MAC id="a\\b",${ts},${nonce},${mac}`, /malformed/],
  ['a control character', `MAC id="a\tb",${ts},${nonce},${mac}`, /malformed/],
  ['letters beyond ASCII', `MAC id="ä",${ts},${nonce},${mac}`, /malformed/],
  ['semicolons', `MAC ${attributes.join(';')}`, /malformed/],
  ['two commas', `MAC ${attributes.join(',,')}`, /malformed/],
  ['a comma at the end', `MAC ${attributes.join(',')},`, /malformed/],
  ['an open quote', `MAC ${attributes.join(',').slice(0, -1)}`, /malformed/],
  ['two headers joined', `MAC ${attributes.join(',')}, MAC ${attributes.join(',')}`, /malformed/],
  ['ts with a fraction', `MAC ${id},ts="1.5",${nonce},${mac}`, /whole number/],
  ['a negative ts', `MAC ${id},ts="-1",${nonce},${mac}`, /whole number/],
  ['ts in hexadecimal', `MAC ${id},ts="0x1",${nonce},${mac}`, /whole number/],
  ['a header too long', `MAC ${attributes.join(',')}${' '.repeat(MAX_MAC_HEADER_LENGTH)}`, /longer than 4096/],
])('refuses %s', (_name, value, message) => {
  expect(() => parseMacHeader(value)).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }),
  );
});

it('answers a hostile header in no time', () => {
  const startedAt = process.cpuUsage();
  for (const text of [`MAC ${' '.repeat(4000)}`, `MAC ${'a'.repeat(4000)}`, `MAC id="${'a'.repeat(4000)}`])
    expect(() => parseMacHeader(text)).toThrow('malformed');
  expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000);
});
