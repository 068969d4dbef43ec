import { binaryCodec } from './binary-codec';
import { ProtocolError, type Command } from './command';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const decode = (hex: string): Command => binaryCodec.decode(bytes(hex));
const encode = (command: Command): string => Buffer.from(binaryCodec.encode(command) as Uint8Array).toString('hex');

const APP = 'testappid0123-gzGzoHsz';
const JAVA_ID = 'df0b458c6424abb603adfbe8fd37495e';
const JAVA_LOGIN =
  '08081a16746573746170706964303132332d677a477a6f48737a32206466306234353863363432346162623630336164666265386664333734393565';
const SYSTEM_INFO = 'a206280a26080112152a13476f6f676c652f676f6f676c652f506978656c1a090a0352454c120233332000';

describe('recorded bytes', () => {
  test.each<readonly [string, string, Command]>([
    [
      'a login of the JavaScript client, with a request id',
      '08081a16746573746170706964303132332d677a477a6f48737a28013206696e73742d31',
      { cmd: 'login', appId: APP, installationId: 'inst-1', i: 1 },
    ],
    ['a login of the Java client, without one', JAVA_LOGIN, { cmd: 'login', appId: APP, installationId: JAVA_ID }],
    [
      'a live-query login',
      '08081a16746573746170706964303132332d677a477a6f48737a280132057375622d314001',
      { cmd: 'login', appId: APP, installationId: 'sub-1', i: 1, service: 1 },
    ],
    ['an opened chat session, which names its client', '08002203746f6d2803', { cmd: 'session', peerId: 'tom', i: 3 }],
    ['an answered login, whose service 0 is on the wire', '080f4000', { cmd: 'loggedin', service: 0 }],
    ['an answered login with a request id', '080f28014000', { cmd: 'loggedin', service: 0, i: 1 }],
    [
      'a message',
      '08094000aa06170a026d3112110a0f7b22616c657274223a22647570227d',
      { cmd: 'data', service: 0, messages: [{ id: 'm1', text: '{"alert":"dup"}' }] },
    ],
    [
      'an acknowledgement of the JavaScript client',
      '08033206696e73742d31ca060852026d3152026d32',
      { cmd: 'ack', installationId: 'inst-1', ids: ['m1', 'm2'] },
    ],
    [
      'an acknowledgement of the Java client',
      '080332206466306234353863363432346162623630336164666265386664333734393565ca060852026d3152026d32',
      { cmd: 'ack', installationId: JAVA_ID, ids: ['m1', 'm2'] },
    ],
    [
      'an error',
      '08074000ba061608842012114150505f4e4f545f415641494c41424c45',
      { cmd: 'error', service: 0, error: { code: 4100, reason: 'APP_NOT_AVAILABLE' } },
    ],
  ])('%s', (_, hex, command) => {
    expect(decode(hex)).toEqual(command);
    expect(encode(command)).toBe(hex);
  });

  test('what the Java client tells about its system is skipped', () => {
    expect(decode(JAVA_LOGIN + SYSTEM_INFO)).toEqual({ cmd: 'login', appId: APP, installationId: JAVA_ID });
  });

  test('an answered login that forbids reconnecting is understood without that', () => {
    expect(decode('080f4000aa07020801')).toEqual({ cmd: 'loggedin', service: 0 });
  });
});

describe('lenience', () => {
  test('a command without a number is a session command', () => {
    expect(decode('2801')).toEqual({ cmd: 'session', i: 1 });
  });

  test.each(['0815', '080b', '08ff01'])('%s is a command that push does not use', (hex) => {
    expect(decode(hex)).toMatchObject({ cmd: 'other' });
  });

  test('an acknowledgement of nothing has no ids', () => {
    expect(decode('0803ca0600')).toEqual({ cmd: 'ack', ids: [] });
  });

  test('ids and texts are paired as far as both go', () => {
    expect(decode('0809aa06080a026d310a026d32')).toEqual({ cmd: 'data', messages: [] });
  });
});

describe('hostile bytes', () => {
  test.each([
    ['text', 'hello'],
    ['a cut field', bytes('08081a16')],
    ['a length beyond the frame', bytes('1affffffff0f')],
    ['a required field that is missing', bytes('0807ba06020801')],
    ['groups in groups', new Uint8Array(60_000).fill(0x0b)],
    ['an endless number', bytes('08ffffffffffffffffffffffffff')],
  ])('%s is a protocol error', (_, frame) => {
    expect(() => binaryCodec.decode(frame)).toThrow(ProtocolError);
  });

  test('whatever arrives is a command or a protocol error', () => {
    const valid = [JAVA_LOGIN + SYSTEM_INFO, '08033206696e73742d31ca060852026d3152026d32', '080f28014000'].map(bytes);
    for (let round = 0; round < 20_000; round += 1) {
      const frame = mutated(valid[round % valid.length] as Uint8Array);
      expect(outcomeOf(frame)).toMatch(/^(command|refused)$/);
    }
  });
});

function outcomeOf(frame: Uint8Array): string {
  try {
    return typeof binaryCodec.decode(frame).cmd === 'string' ? 'command' : 'nothing';
  } catch (error) {
    return error instanceof ProtocolError ? 'refused' : `threw ${String(error)}`;
  }
}

const below = (n: number): number => Math.floor(Math.random() * n);

function mutated(valid: Uint8Array): Uint8Array {
  if (below(4) === 0) return Uint8Array.from({ length: below(64) }, () => below(256));
  const frame = Uint8Array.from(valid);
  for (let flips = 1 + below(4); flips > 0; flips -= 1) frame[below(frame.length)] = below(256);
  return frame.subarray(0, below(3) === 0 ? below(frame.length) : frame.length);
}
