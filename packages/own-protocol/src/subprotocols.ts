import { binaryCodec } from './binary-codec';
import type { Codec } from './command';
import { jsonCodec } from './json-codec';

const CODECS: ReadonlyMap<string, Codec> = new Map([
  ['lc.protobuf2.3', binaryCodec],
  ['lc.protobuf2.1', binaryCodec],
]);

/** The first of the offered subprotocols that is spoken here. */
export const chooseSubprotocol = (offered: Iterable<string>): string | undefined =>
  [...offered].find((name) => CODECS.has(name));

/** The codec of an agreed subprotocol; without one, JSON text. */
export const codecOf = (subprotocol: string): Codec => CODECS.get(subprotocol) ?? jsonCodec;
