import { createGunzip, createInflate } from 'node:zlib';
import { InvalidInput } from '@pushfleet/domain';
import { GrowingBody } from './growing-body';
import { Refusal } from './refusal';

/** The codings of RFC 9110, section 8.4.1, that clients use for requests; `x-gzip` is an old name of the same. */
const INFLATERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate } as const;

export type Coding = keyof typeof INFLATERS;

/** How the body of a request is compressed; undefined: not at all. */
export function codingOf(header: string | undefined): Coding | undefined {
  const name = header?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  if (Object.hasOwn(INFLATERS, name)) return name as Coding;
  throw new Refusal(
    'unsupported-encoding',
    'Content-Encoding: the codings are gzip, deflate and identity, one at a time',
  );
}

export interface Inflating {
  readonly coding: Coding;
  /** Of what comes out. */
  readonly maxBytes: number;
  /** Told how many bytes are held beside the compressed ones; what it throws ends the work. */
  readonly hold: (bytes: number) => void;
}

/** What a compressed body says; what comes out over the limit is never made. */
export async function inflated(body: Buffer, { coding, maxBytes, hold }: Inflating): Promise<Buffer> {
  const inflater = INFLATERS[coding]();
  const plain = new GrowingBody(0);
  inflater.end(body);
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      if (plain.bytes + chunk.length > maxBytes)
        throw new InvalidInput('too-large', `the body may have at most ${maxBytes} bytes, when it is not compressed`);
      hold(plain.add(chunk));
    }
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    throw new InvalidInput('malformed-json', `the body is not what Content-Encoding: ${coding} says`);
  }
  return plain.whole();
}

const isOfZlib = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith('Z_') === true;
};
