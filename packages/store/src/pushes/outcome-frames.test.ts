import { decodeFrame, decodeLines, encodeFrame, type OutcomeFrame, type OutcomeGroup } from './outcome-frames';

const buffer = (frame: string | Buffer): Buffer => Buffer.from(frame as string);
const ids = (count: number, length = 32): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${'Az09'.repeat(9)}${i}`.slice(-length));

const GONE: OutcomeGroup = {
  ...{ channel: 'hms', outcome: 'discarded', reason: 'registration-gone' },
  ...{ vendorCode: '80300007', vendorMessage: 'token «gone»\n' },
};
const TAKEN: OutcomeGroup = { channel: 'honor', outcome: 'accepted' };
const LOST: OutcomeGroup = { channel: 'hms', outcome: 'failed', reason: 'unreachable' };

const frames: readonly (readonly [string, OutcomeFrame])[] = [
  ['of one device', { at: 1, groups: [{ ...TAKEN, objectIds: ids(1) }] }],
  ['of a full page', { at: 1_763_891_234_567, groups: [{ ...TAKEN, objectIds: ids(1000) }] }],
  [
    'of several groups',
    { at: 5, groups: [TAKEN, GONE, LOST].map((group, i) => ({ ...group, objectIds: ids(9 + i) })) },
  ],
  ['of names that are 24 digits', { at: 5, groups: [{ ...LOST, objectIds: ids(20, 24) }] }],
  ['of names of other lengths', { at: 5, groups: [{ ...GONE, objectIds: [...ids(20, 23), 'a:b', ''] }] }],
  [
    'of counted devices',
    {
      at: 5,
      groups: [
        { ...LOST, count: 70_000 },
        { ...TAKEN, objectIds: ids(30) },
      ],
    },
  ],
  ['of counted devices alone', { at: 5, groups: [{ ...LOST, count: 1 }] }],
];

test.each(frames)('a frame %s is read as it was written', (_, frame) => {
  expect(decodeFrame(buffer(encodeFrame(frame)))).toEqual(frame);
});

test.each([
  ...['', 'no JSON', '5', '{}', '[1]', '[1,[["hms"]],"x","a"]', '["x",[["hms"]],0,"a"]', '[1e300,[["hms"]],0,"a"]'],
  ...['[1,[5],0,"a"]', '[1,[["hms","z"]],0,"a"]', '[1,[["hms"]],0,{}]', '[1,[["hms"]],[0.5],"a"]'],
  ...['[1,[["hms"]],0,0]\nabc', '[1,[["hms"]],0,"x"]\nabc', '[1,[["hms"]]'],
])('a frame that is damaged, %j, tells of no device', (text) => {
  expect(decodeFrame(Buffer.from(text))).toEqual({ at: 0, groups: [], isDamaged: true });
});

test('small frames stand in lines', () => {
  const small = frames.map(([, frame]) => frame).filter((frame) => typeof encodeFrame(frame) === 'string');
  expect(small.length).toBeGreaterThan(2);
  expect(decodeLines(small.map(encodeFrame).join('\n'))).toEqual(small);
  expect(decodeLines('')).toEqual([]);
});

test('a device of a page takes 24 bytes, and that of a push to one no more than one piece of a packed record', () => {
  expect(encodeFrame({ at: 1_763_891_234_567, groups: [{ ...TAKEN, objectIds: ids(1000) }] }).length).toBeLessThan(
    24_050,
  );
  expect(encodeFrame({ at: 1_763_891_234_567, groups: [{ ...TAKEN, objectIds: ids(1) }] }).length).toBeLessThanOrEqual(
    64,
  );
});
