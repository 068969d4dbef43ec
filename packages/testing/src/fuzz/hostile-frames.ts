import fc from 'fast-check';
import { FUZZ_SEED } from './fuzz-seed';
import { heavyJsonText } from './heavy-values';
import { hostileJsonText, nearly, weighted } from './hostile-values';

/** What a device may put on its connection. */
export type HostileFrame =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'ping' | 'pong'; readonly bytes: Uint8Array };

const small = fc.uint8Array({ maxLength: 125 });

interface RightFrames {
  readonly texts: readonly object[];
  readonly bytes: readonly Uint8Array[];
}

/** `count` hostile frames; `right` are frames that a device does send, in either form. */
export const hostileFrames = (right: RightFrames, count: number): readonly HostileFrame[] =>
  fc.sample(anyFrame(right), { numRuns: count, seed: FUZZ_SEED });

function anyFrame(right: RightFrames): fc.Arbitrary<HostileFrame> {
  const text = fc.constantFrom(...right.texts).chain((frame) =>
    fc.oneof(
      nearly(frame).map((value) => JSON.stringify(value) ?? ''),
      weighted(frame, heavyJsonText),
      hostileJsonText,
      heavyJsonText,
    ),
  );
  const bytes = fc.constantFrom(...right.bytes).chain((frame) => fc.oneof(mutated(frame), repeatedBytes, small));
  return fc.oneof(
    { weight: 5, arbitrary: text.map((found) => ({ kind: 'text' as const, text: found.slice(0, 60_000) })) },
    { weight: 5, arbitrary: bytes.map((found) => ({ kind: 'bytes' as const, bytes: found })) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('ping' as const, 'pong' as const), bytes: small }) },
  );
}

const mutated = (frame: Uint8Array): fc.Arbitrary<Uint8Array> =>
  fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }).map((flips) => {
    const spoilt = Uint8Array.from(frame);
    for (const [at, byte] of flips) spoilt[at % spoilt.length] = byte;
    return spoilt;
  });

/** Groups within groups, lists of nothing: what a parser of protobuf walks for long. */
const repeatedBytes = fc
  .tuple(
    fc.constantFrom([0x0b], [0xca, 0x06, 0x00], [0x52, 0x00], [0xff], [0x08, 0x08]),
    fc.integer({ min: 1, max: 20_000 }),
  )
  .map(([pattern, count]) => Uint8Array.from(Array.from({ length: count }, () => pattern).flat()));
