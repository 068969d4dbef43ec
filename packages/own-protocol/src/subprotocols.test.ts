import { binaryCodec } from './binary-codec';
import { jsonCodec } from './json-codec';
import { chooseSubprotocol, codecOf } from './subprotocols';

test('the first offered name that is known is chosen', () => {
  expect(chooseSubprotocol(['lc.json.3', 'lc.protobuf2.3', 'lc.protobuf2.1'])).toBe('lc.protobuf2.3');
  expect(chooseSubprotocol(['lc.json.3'])).toBeUndefined();
});

test('without a subprotocol JSON is spoken', () => {
  expect(codecOf('')).toBe(jsonCodec);
  expect(codecOf('lc.protobuf2.1')).toBe(binaryCodec);
});
