import { seededRandom } from '@pushfleet/domain/testing';
import { ListDecoder, type ListAnswer } from './list-decoder';

const { below, pick } = seededRandom(Number(process.env['SEED'] ?? 20_261_123));

const written = (texts: readonly string[]): string =>
  `*${texts.length}\r\n${texts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join('')}`;

/** What a decoder answers to bytes that come in pieces of so many at most. */
function answersTo(bytes: Buffer, most: number): readonly ListAnswer[] {
  const decoder = new ListDecoder();
  const answers: ListAnswer[] = [];
  for (let at = 0; at < bytes.length;) {
    const to = at + 1 + below(most);
    answers.push(...decoder.take(bytes.subarray(at, to)));
    at = to;
  }
  return answers;
}

const aText = (): string => Array.from({ length: below(40) }, () => pick(['a', 'Z', ' ', '"', '\r\n', '$3'])).join('');

test.each([1, 7, 100, 100_000])('answers are what was written, in pieces of up to %d bytes', (most) => {
  for (let round = 0; round < 20; round += 1) {
    const lists = Array.from({ length: 1 + below(5) }, () => Array.from({ length: below(30) }, aText));
    const wide = lists.map((list) => (below(3) === 0 ? [...list, '中 é 🙂'] : list));
    expect(answersTo(Buffer.from(wide.map(written).join('')), most)).toEqual(wide);
  }
});

test('an error stands in its place, and the answers behind it in theirs', () => {
  const bytes = Buffer.from(`${written(['a'])}-LOADING not yet\r\n${written(['b'])}`);
  expect(answersTo(bytes, 5)).toEqual([['a'], new Error('LOADING not yet'), ['b']]);
});

test.each([':1\r\n', '+OK\r\n', '*1\r\n:1\r\n'])('%j is no list of texts', (bytes) => {
  expect(() => new ListDecoder().take(Buffer.from(bytes))).toThrow(/list/);
});

test('answers that overlap need the room of a few of them, and a long one gives its room back', () => {
  const decoder = new ListDecoder();
  const answers: string[] = [];
  const rooms: number[] = [];
  const feed = (all: Buffer, piece: number): void => {
    for (let at = 0; at < all.length; at += piece) {
      const lists = decoder.take(all.subarray(at, at + piece)) as readonly (readonly string[])[];
      answers.push(...lists.map((list) => list.join()));
      rooms.push(decoder.room);
    }
  };
  const list = Array.from({ length: 300 }, (_, i) => `${i} ${'x'.repeat(150)}`);
  // No piece but the last ends where an answer does.
  feed(Buffer.from(written(list).repeat(200)), 40_007);
  expect(answers).toEqual(Array.from({ length: 200 }, () => list.join()));
  expect(Math.max(...rooms)).toBeLessThan(256 * 1024);
  const long = 'y'.repeat(9_000_000);
  feed(Buffer.from(`${written([long])}${written(list)}`), 1_000_003);
  expect(answers.slice(200)).toEqual([long, list.join()]);
  expect(decoder.room).toBeLessThan(4 * 1024 * 1024);
});
