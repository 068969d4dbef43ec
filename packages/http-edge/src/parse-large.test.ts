import { seededRandom } from '@pushfleet/testing';
import { FUZZ_SEED } from '@pushfleet/testing/fuzz';
import { parseLarge } from './parse-large';

const here = new AbortController().signal;
const parse = (text: string) => parseLarge(Buffer.from(text), 'jsonLevels', here);
const KB = 1024;
const long = (kb: number): string => 'x'.repeat(kb * KB);

const outcome = async (work: () => unknown): Promise<string> => {
  try {
    return JSON.stringify(await work());
  } catch (error) {
    return (error as Error).name === 'SyntaxError'
      ? 'malformed'
      : ((error as { problem?: string }).problem ?? String(error));
  }
};
const expectSame = async (text: string): Promise<void> => {
  const [found, expected] = [await outcome(() => parse(text)), await outcome(() => JSON.parse(text) as unknown)];
  expect(found === 'malformed-json' ? 'malformed' : found).toBe(expected);
};

const member = (i: number) => ({ i, text: `"\\\\]}[{,${long(1)}é`, list: [1, [2, {}], null], o: { a: true } });
const members = (count: number) => Array.from({ length: count }, (_, i) => member(i));

describe('a text is read as the engine reads it', () => {
  it.each([
    ['a small object', '{"a":[1,2,{"b":null}]}'],
    ['a number', ' 12 '],
    ['a text', '"[,]"'],
    ['nothing', ''],
    ['a long list', JSON.stringify(members(300))],
    ['a batch', JSON.stringify({ requests: members(300), more: 1 })],
    ['a long object', JSON.stringify(Object.fromEntries(members(300).map((m, i) => [`k${i % 250}`, m])))],
    ['large within large', JSON.stringify([1, { a: 1, b: members(100), c: [members(90), 2], d: 3 }, members(80)])],
    ['one long text', JSON.stringify({ a: long(300), b: [long(100)] })],
    [
      'a name that objects have',
      `{"x":[${JSON.stringify(long(100))}],"__proto__":{"a":[${JSON.stringify(long(90))}]}}`,
    ],
    ['the same name twice', `{"a":${JSON.stringify(members(90))},"b":1,"a":2}`],
    ['white space', `[${' '.repeat(100 * KB)}]`],
    ['white space around', ` \n[${JSON.stringify(long(100))}\t]\r\n `],
    ['empty ones in between', `[[],{},${JSON.stringify(members(100))},[],{}]`],
  ])('%s', (_name, text) => expectSame(text));
});

describe('what the engine refuses is refused', () => {
  const big = JSON.stringify(members(100));
  it.each([
    ...[`[${big},]`, `[,${big}]`, `[${big}${big}]`, `[${big} 1]`, `[1 ${big}]`, `[${big},,1]`, `{"a":${big},}`],
    ...[`{"a"${big}}`, `{"a":-${big}}`, `{${big}}`, `{"a":1,${big}}`, `{"a":${big}"b":1}`, `[${big}}`, `${big}]`],
    ...[
      `[${big}`,
      `${big}${big}`,
      `${big},`,
      `x${big}`,
      `${big}x`,
      `["${big}]`,
      `{"a":${big},"b"}`,
      `{"a":1 "b":${big}}`,
    ],
    ...[
      `[${long(100)}]`,
      `[${' '.repeat(100 * KB)},1]`,
      `[1,${' '.repeat(100 * KB)}]`,
      `{"a":"${long(100)}\n"}`,
      ']',
      '[',
    ],
  ])('%#', (text) => expectSame(text));
});

it(`texts with a byte changed are read, or refused, as the engine does it (seed ${FUZZ_SEED})`, async () => {
  const { below } = seededRandom(FUZZ_SEED);
  const right = JSON.stringify({ a: [members(70), { b: members(70) }], c: 'd', e: members(3) });
  const bytes = '[]{},:"\\ 0-nx';
  for (let round = 0; round < 150; round += 1) {
    const at = below(right.length);
    const cut = below(3);
    await expectSame(right.slice(0, at) + (bytes[below(bytes.length)] ?? '') + right.slice(at + cut));
  }
});

it('bytes that are not UTF-8 are refused wherever they stand, and characters of any length are not', async () => {
  const text = JSON.stringify([...members(100), '中😀']);
  await expectSame(text);
  const bytes = Buffer.from(text);
  for (const at of [bytes.indexOf('é'), bytes.length - '😀"]'.length]) {
    const broken = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]);
    await expect(parseLarge(broken, 'jsonLevels', here)).rejects.toThrow('the body is not valid UTF-8');
  }
});

it('what nests too deep is refused where it does', async () => {
  const deep = Buffer.alloc(20 * KB * KB, '[');
  await expect(parseLarge(deep, 'jsonLevels', here)).rejects.toThrow(/at most 32 levels/);
  await expect(parseLarge(deep, 'batchJsonLevels', here)).rejects.toThrow(/at most 36 levels/);
  const allowed = '['.repeat(32) + JSON.stringify(long(100)) + ']'.repeat(32);
  await expectSame(allowed);
});

it('one endless text is refused, because nobody would have a turn while it is read', async () => {
  await expect(parse(`{"a":"${long(1200)}"}`)).rejects.toThrow(/a text of the body: may have at most 1048576 bytes/);
  await expect(parse(`"${'\\"'.repeat(KB * KB)}"`)).rejects.toThrow(/at most/);
});

it('a list or an object with more members than anybody needs is refused', async () => {
  await expect(parse(`[${'1,'.repeat(300_000)}1]`)).rejects.toThrow(/may have at most 100000 members/);
  await expectSame(`[${'1,'.repeat(99_999)}1]`);
});

it('large integers keep their digits', async () => {
  const found = await parse(`[1234567890123456789,${JSON.stringify(members(100))}]`);
  expect(Array.isArray(found) && found[0]).toBe(1234567890123456789n);
});

it('others get their turns while a long text is parsed', async () => {
  const text = JSON.stringify(members(15_000));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await parse(text);
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});

it('it ends with its caller', async () => {
  const gone = new AbortController();
  const parsing = parseLarge(Buffer.from(JSON.stringify(members(15_000))), 'jsonLevels', gone.signal);
  gone.abort(new Error('gone'));
  await expect(parsing).rejects.toThrow('gone');
});
