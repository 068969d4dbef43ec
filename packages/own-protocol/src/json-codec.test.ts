import { ProtocolError, type Command } from './command';
import { hostileFrames } from '@pushfleet/testing/fuzz';
import { jsonCodec } from './json-codec';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('an empty object is a heartbeat, and so is its answer', () => {
  expect(jsonCodec.decode('{}')).toEqual({ cmd: 'echo' });
  expect(jsonCodec.encode({ cmd: 'echo' })).toBe('{}');
});

test('an echo with a number is a command, and so is its answer', () => {
  expect(jsonCodec.decode('{"cmd":"echo","i":3}')).toEqual({ cmd: 'echo', i: 3 });
  expect(jsonCodec.encode({ cmd: 'echo', i: 3 })).toBe('{"cmd":"echo","i":3}');
});

test.each<readonly [string, Command]>([
  ['{"cmd":"login","appId":"a","installationId":"b"}', { cmd: 'login', appId: 'a', installationId: 'b' }],
  [
    '{"cmd":"ack","appId":"a","installationId":"b","ids":["m1"]}',
    { cmd: 'ack', appId: 'a', installationId: 'b', ids: ['m1'] },
  ],
  ['{"cmd":"direct","i":7,"peerId":"tom"}', { cmd: 'other', i: 7, peerId: 'tom' }],
  ['{"cmd":"login","unknown":[1,{}]}', { cmd: 'login' }],
])('%s is understood', (frame, command) => {
  expect(jsonCodec.decode(frame)).toEqual(command);
});

test('messages travel as objects, not as text', () => {
  const command: Command = { cmd: 'data', messages: [{ id: 'm1', text: '{"alert":"中"}' }] };
  expect(jsonCodec.encode(command)).toBe('{"cmd":"data","ids":["m1"],"msg":[{"alert":"中"}]}');
  expect(jsonCodec.decode(jsonCodec.encode(command))).toEqual(command);
});

test('a message that nests what a push may nest is understood', () => {
  const text = `{"a":${nested(60)}}`;
  expect(jsonCodec.decode(jsonCodec.encode({ cmd: 'data', messages: [{ id: 'm1', text }] })).messages).toHaveLength(1);
});

test('an error has its code beside the command', () => {
  const command: Command = { cmd: 'error', error: { code: 4100, reason: 'no' } };
  expect(JSON.parse(jsonCodec.encode(command) as string)).toEqual({ cmd: 'error', code: 4100, reason: 'no' });
  expect(jsonCodec.decode(jsonCodec.encode(command))).toEqual(command);
});

test.each([
  ['bytes', Uint8Array.of(1, 2)],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['nothing', 'null'],
  ['a number for a text', '{"cmd":"login","appId":1}'],
  ['ids that are no texts', '{"cmd":"ack","ids":[1]}'],
  ['a request id that is no number', '{"cmd":"echo","i":"1"}'],
  ['nested beyond reason', '['.repeat(30_000)],
  ['a field that is not read, nested beyond reason', `{"cmd":"echo","x":${nested(4500)}}`],
  ['a message nested beyond reason', `{"cmd":"data","ids":["a"],"msg":[{"a":${nested(4500)}}]}`],
])('%s is a protocol error', (_, frame) => {
  expect(() => jsonCodec.decode(frame)).toThrow(ProtocolError);
});

test('whatever arrives is a command or a protocol error', () => {
  const texts = [
    { cmd: 'data', ids: ['m1'], msg: [{ alert: 'a' }] },
    { cmd: 'login', appId: 'a', installationId: 'b' },
  ];
  for (const frame of hostileFrames({ texts, bytes: [Uint8Array.of(8, 8)] }, 1500)) {
    const text = frame.kind === 'text' ? frame.text : frame.bytes;
    expect(outcomeOf(text)).toMatch(/^(command|refused)$/);
  }
});

function outcomeOf(frame: Uint8Array | string): string {
  try {
    return typeof jsonCodec.decode(frame).cmd === 'string' ? 'command' : 'nothing';
  } catch (error) {
    return error instanceof ProtocolError ? 'refused' : `threw ${String(error)}`;
  }
}
