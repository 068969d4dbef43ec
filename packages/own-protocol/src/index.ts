export { binaryCodec } from './binary-codec';
export { ProtocolError, type Codec, type Command, type DataMessage } from './command';
export { jsonCodec } from './json-codec';
export { chooseSubprotocol, codecOf } from './subprotocols';
