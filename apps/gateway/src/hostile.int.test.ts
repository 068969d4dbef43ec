import { once } from 'node:events';
import { connect as openTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { binaryCodec, jsonCodec, type Command } from '@pushfleet/own-protocol';
import { redisHarness, unique, until } from '@pushfleet/testing';
import { expectUnhurt, FUZZ_SEED, hostileFrames, watchOthers, type HostileFrame } from '@pushfleet/testing/fuzz';
import type { Device } from './testing/device';
import { gatewayHarness, type RunningGateway } from './testing/gateway-harness';

const t = gatewayHarness(redisHarness(), { CONNECTIONS_PER_ADDRESS: 0, LOGINS_PER_ADDRESS: 0 });
const { connect, loggedIn } = t;
let neighbour: Device;
const neighbourId = unique('neighbour');

beforeEach(async () => {
  neighbour = await loggedIn(neighbourId);
});

/** Whatever the others did, this one is connected, hears what is pushed to it, and its acknowledgement counts. */
afterEach(async () => {
  const pushId = await t.push([neighbourId]);
  await neighbour.received(pushId);
  neighbour.ack(pushId);
  await until(async () => (await t.delivered(pushId)) === 1);
  expect(neighbour.closed).toBeUndefined();
  await t.closeDevices();
});

describe('logins', () => {
  test('that would wait long for those before them are sent away, and those that got no turn leave nothing', async () => {
    const paced = await t.open({ LOGINS_PER_ADDRESS: 1 });
    const attackers = await Promise.all(Array.from({ length: 40 }, () => connect({ to: paced })));
    for (const attacker of attackers) {
      attacker.send({ cmd: 'login', appId: t.app.id, installationId: unique('attacker') });
      for (let i = 0; i < 20; i += 1) {
        attacker.send({ cmd: 'logout' });
        attacker.send({ cmd: 'login', appId: t.app.id, installationId: unique('attacker') });
      }
    }
    const sentAway = () => attackers.filter(({ closed }) => closed?.code === 4116).length;
    await until(() => sentAway() >= 20);
    expect(paced.errors).toEqual([]);
  });
});

describe('frames', () => {
  test('garbage before the login ends the connection, garbage after it is ignored', async () => {
    const stranger = await connect();
    stranger.socket.send(Buffer.from('garbage'));
    await until(() => stranger.closed);
    expect(stranger.closed?.code).toBe(4103);
    const device = await loggedIn(unique('device'));
    device.socket.send(Buffer.from('garbage'));
    device.socket.send('text');
    await device.settled();
  });

  test(`fuzzed frames end no more than their own connection, and nobody else waits (seed ${FUZZ_SEED})`, async () => {
    const witness = await loggedIn(unique('device'));
    const others = await watchOthers(() => witness.settled());
    const frames = [...hostileFrames(RIGHT_FRAMES, 1500)];
    for (let round = 0; frames.length > 0; round += 1) {
      const attacker = await connect({ subprotocol: round % 2 === 0 ? '' : 'lc.protobuf2.3' });
      if (round % 4 > 1) await attacker.login(t.app.id, unique('attacker'));
      for (const frame of frames.splice(0, 15)) sendFrame(attacker, frame);
    }
    expectUnhurt(await others.stop());
    expect(witness.closed).toBeUndefined();
    expect(t.gateway.errors).toEqual([]);
  });

  test('bytes that are no WebSocket end only their own connection', async () => {
    const witness = await loggedIn(unique('device'));
    for (let round = 0; round < 20; round += 1) {
      const attacker = await connect();
      // Ends its side: a frame that promises more than it brings would keep the connection open for ever.
      rawStreamOf(attacker).end(randomFrame());
    }
    await witness.settled();
  });

  test('a frame over the limit ends its connection', async () => {
    const device = await loggedIn(unique('device'));
    device.socket.send(Buffer.alloc(65_537));
    await until(() => device.closed);
    expect(device.closed?.code).toBe(1009);
  });

  test('a device that does not read is dropped, and what it missed waits for it', async () => {
    const small = await t.open({ MAX_BUFFERED_BYTES: 65_536 });
    const installationId = unique('device');
    const device = await loggedIn(installationId, { to: small });
    device.socket.pause();
    const text = JSON.stringify({ alert: 'x'.repeat(60_000) });
    const pushes: string[] = [];
    await until(
      async () => {
        pushes.push(await t.push([installationId], text));
        return small.server.size === 0;
      },
      { timeoutMs: 20_000, everyMs: 1 },
    );
    device.socket.terminate();
    const again = await loggedIn(installationId);
    await again.received(...pushes.slice(-40));
  });

  test('a silent connection is given up, one that pings is not', async () => {
    const hasty = await t.open({ IDLE_TIMEOUT_MS: 3000 });
    const [silent, alive] = [
      await loggedIn(unique('device'), { to: hasty }),
      await loggedIn(unique('device'), { to: hasty }),
    ];
    const pinging = setInterval(() => alive.socket.ping(), 50);
    await until(() => silent.closed);
    clearInterval(pinging);
    expect([silent.closed?.code, alive.closed]).toEqual([4107, undefined]);
  });
});

test('a device that ended its side and reads nothing of what waits for it is cut off', async () => {
  const buffers = { MAX_BUFFERED_BYTES: 100_000_000, FRAMES_PER_SECOND: 0, BYTES_PER_SECOND: 0 };
  const hasty = await t.open({ ...buffers, IDLE_TIMEOUT_MS: 300 });
  const device = await loggedIn(unique('device'), { to: hasty });
  device.socket.pause();
  // The answers are as long, and more than the system takes in for a reader.
  for (let i = 0; i < 400; i += 1) device.send({ cmd: 'session', i, peerId: 'x'.repeat(60_000) });
  rawStreamOf(device).end();
  await until(() => hasty.server.size === 0, { timeoutMs: 15_000 });
});

test('of an address whose devices together have too much waiting, the one that reads most slowly is cut off', async () => {
  const buffers = { MAX_BUFFERED_BYTES: 100_000_000, FRAMES_PER_SECOND: 0, BYTES_PER_SECOND: 0 };
  const strict = await t.open({ ...buffers, BUFFERED_BYTES_PER_ADDRESS: 1_000_000, LOGIN_TIMEOUT_MS: 900 });
  const [slow, reading] = [
    await loggedIn(unique('device'), { to: strict }),
    await loggedIn(unique('device'), { to: strict }),
  ];
  slow.socket.pause();
  for (let i = 0; i < 400; i += 1) slow.send({ cmd: 'session', i, peerId: 'x'.repeat(60_000) });
  await until(() => strict.server.size === 1, { timeoutMs: 15_000 });
  await reading.settled();
});

describe('too many frames', () => {
  test.each<readonly [string, (device: Device) => void]>([
    ['of commands', (device) => device.send({ cmd: 'echo' })],
    ['of garbage', (device) => device.socket.send(Buffer.from('garbage'))],
    ['of acknowledgements', (device) => device.ack('nothing')],
    ['of repeated logins', (device) => device.send({ cmd: 'login', appId: t.app.id, installationId: 'repeated' })],
  ])('%s end the connection with 4116', async (_, send) => {
    const device = await loggedIn('repeated');
    for (let n = 0; n < 400; n += 1) send(device);
    await until(() => device.closed);
    expect(device.closed).toEqual({ code: 4116, reason: 'SENT_TOO_FAST' });
  });

  test('count pings too, also those that come before an answer fits between', async () => {
    const steady = await loggedIn(unique('device'));
    let pongs = 0;
    steady.socket.on('pong', () => (pongs += 1));
    for (let n = 10; n <= 400 && !steady.closed; n += 10) {
      for (let i = 0; i < 10; i += 1) steady.socket.ping();
      await until(() => steady.closed ?? pongs >= n);
    }
    expect(steady.closed?.code).toBe(4116);
    const burst = await loggedIn(unique('device'));
    for (let n = 0; n < 400; n += 1) burst.socket.ping();
    await until(() => burst.closed);
    expect(burst.closed).toEqual({ code: 4116, reason: 'SENT_TOO_FAST' });
  });

  test('are not as many pings at once as a device may send', async () => {
    const device = await loggedIn(unique('device'));
    let pongs = 0;
    device.socket.on('pong', () => (pongs += 1));
    for (let n = 0; n < 90; n += 1) device.socket.ping();
    await until(() => device.closed ?? pongs === 90);
    expect(device.closed).toBeUndefined();
  });

  test('cannot be pings whose answers nobody reads, where frames are not limited', async () => {
    const hasty = await t.open({ MAX_BUFFERED_BYTES: 100_000, FRAMES_PER_SECOND: 0, BYTES_PER_SECOND: 0 });
    const device = await loggedIn(unique('device'), { to: hasty });
    device.socket.pause();
    const pinging = setInterval(() => {
      for (let n = 0; n < 500; n += 1) device.socket.ping('x'.repeat(125));
    }, 1);
    await until(() => hasty.server.size === 0, { timeoutMs: 20_000 });
    clearInterval(pinging);
    const ended = await hasty.metrics.registry.getSingleMetricAsString('pushfleet_gateway_closed_total');
    expect(ended).toContain('reason="slow-reader"');
  });

  test('count pongs too, which nobody asked for', async () => {
    const device = await loggedIn(unique('device'));
    for (let n = 0; n < 400; n += 1) device.socket.pong();
    await until(() => device.closed);
    expect(device.closed?.code).toBe(4116);
  });

  test('may be few and yet too many bytes', async () => {
    const device = await loggedIn(unique('device'));
    for (let n = 0; n < 8; n += 1) device.socket.send(Buffer.alloc(60_000));
    await until(() => device.closed);
    expect(device.closed).toEqual({ code: 4116, reason: 'SENT_TOO_FAST' });
  });

  test('are not too many bytes when they are one, as large as a frame may be', async () => {
    const generous = await t.open({ MAX_FRAME_BYTES: 1_000_000 });
    const device = await loggedIn(unique('device'), { to: generous });
    device.socket.send(Buffer.alloc(1_000_000));
    await until(() => device.closed ?? device.socket.bufferedAmount === 0);
    device.send({ cmd: 'echo' });
    await until(() => device.closed ?? device.count('echo') === 1);
    expect(device.closed).toBeUndefined();
  });

  test('may be one, in too many pieces', async () => {
    const device = await loggedIn(unique('device'));
    for (let n = 0; n < 200; n += 1) device.socket.send(Buffer.alloc(0), { fin: false });
    await until(() => device.closed);
    expect(device.closed?.code).toBe(1008);
  });

  test('may be one that comes byte by byte: each byte would cost hundreds in memory until the last is there', async () => {
    const device = await loggedIn(unique('device'));
    const stream = rawStreamOf(device);
    stream.write(frameHead(60_000));
    for (let n = 0; n < 600 && !device.closed; n += 1) {
      stream.write(Uint8Array.of(0));
      await delay(1);
    }
    expect(device.closed?.code).toBe(1008);
  });

  test('may be one that comes in as many packets as the worst of lines makes of it', async () => {
    const device = await loggedIn(unique('device'));
    const [stream, bytes] = [rawStreamOf(device), 60_000];
    stream.write(frameHead(bytes));
    for (let sent = 0; sent < bytes; sent += 500) {
      stream.write(Buffer.alloc(500));
      await delay(1);
    }
    await device.settled();
    expect(device.closed).toBeUndefined();
  });

  test('leave the mailbox as it is: the next login gets what was not acknowledged', async () => {
    const installationId = unique('device');
    const device = await loggedIn(installationId);
    const pushIds = [await t.push([installationId]), await t.push([installationId])];
    await device.received(...pushIds);
    for (let n = 0; n < 200; n += 1) device.send({ cmd: 'echo' });
    for (const pushId of pushIds) device.ack(pushId);
    await until(() => device.closed);
    const again = await loggedIn(installationId);
    await again.received(...pushIds);
    for (const pushId of pushIds) expect(await t.delivered(pushId)).toBe(0);
  });

  test('before a login end the connection too, and one that does not go is cut off', async () => {
    const stranger = await connect();
    for (let n = 0; n < 300; n += 1) stranger.send({ cmd: 'echo' });
    stranger.socket.pause();
    await until(() => t.gateway.server.size === 1, { timeoutMs: 10_000 });
  });

  test('as many as are allowed are not too many, and the limit can be taken away', async () => {
    const [modest, free] = [await connect(), await t.open({ FRAMES_PER_SECOND: 0 })];
    for (let n = 0; n < 90; n += 1) modest.send({ cmd: 'echo' });
    await until(() => modest.count('echo') === 90);
    const device = await loggedIn(unique('device'), { to: free });
    for (let n = 0; n < 1000; n += 1) device.send({ cmd: 'echo' });
    await until(() => device.count('echo') === 1000);
  });
});

describe('before the login', () => {
  test.each<readonly [string, (device: Device) => void]>([
    ['a long frame', (device) => device.socket.send(Buffer.alloc(5000))],
    [
      'a frame that never ends',
      (device) => rawStreamOf(device).write(Buffer.concat([frameHead(60_000), Buffer.alloc(9000)])),
    ],
  ])('%s ends the connection', async (_, send) => {
    const device = await connect();
    send(device);
    await until(() => device.closed);
    expect(device.closed).toEqual({ code: 4109, reason: 'FRAME_TOO_LONG' });
  });

  test('small frames may come together', async () => {
    const device = await connect();
    for (let n = 0; n < 4; n += 1) device.send({ cmd: 'session', i: n, peerId: 'x'.repeat(2000) });
    await device.login(t.app.id, unique('device'));
    device.send({ cmd: 'session', i: 9, peerId: 'x'.repeat(20_000) });
    await until(() => device.count('error') === 5);
  });

  test('whoever neither logs in nor answers the close is cut off', async () => {
    const hasty = await t.open({ LOGIN_TIMEOUT_MS: 150 });
    const socket = openTcp(Number(new URL(hasty.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await until(() => hasty.server.size === 1);
    await until(() => hasty.server.size === 0, { timeoutMs: 15_000 });
  });
});

describe('a crowd of busy connections', () => {
  test('has its turns, and the others have theirs', async () => {
    const busy = await t.open({ FRAMES_PER_SECOND: 0, BYTES_PER_SECOND: 0 });
    const victim = await loggedIn(unique('victim'), { to: busy });
    const crowd = await Promise.all(
      Array.from({ length: 5 }, () => loggedIn(unique('busy'), { to: busy, subprotocol: '' })),
    );
    const frame = JSON.stringify({ cmd: 'ack', ids: Array.from({ length: 16_000 }, () => '') });
    let served = 0;
    const serving = crowd.map(async (device) => {
      for (let n = 0; n < 90; n += 1) device.socket.send(frame);
      await device.settled();
      served += 1;
    });
    let answers = 0;
    for (; served === 0; answers += 1) {
      const answered = once(victim.socket, 'message');
      victim.send({ cmd: 'echo' });
      await answered;
    }
    await Promise.all(serving);
    expect(answers).toBeGreaterThan(10);
    expect(await waitedFrames(busy)).toBeGreaterThan(20);
  });
});

describe('commands out of order', () => {
  test.each<readonly [string, Parameters<Device['send']>[0]]>([
    ['an acknowledgement before the login', { cmd: 'ack', ids: ['a'] }],
    ['a logout before the login', { cmd: 'logout', i: 1 }],
    ['a push from a device', { cmd: 'data', messages: [{ id: 'a', text: '{}' }] }],
    ['an answer from a device', { cmd: 'loggedin', service: 0 }],
    ['an error from a device', { cmd: 'error', error: { code: 4100, reason: '' } }],
    ['a chat command without a number', { cmd: 'session' }],
  ])('%s changes nothing: the login afterwards works', async (_, command) => {
    const device = await connect();
    device.send(command);
    await device.login(t.app.id, unique('device'));
  });

  test('an acknowledgement of thousands that were never sent counts nothing', async () => {
    const device = await loggedIn(unique('device'));
    const pushId = await t.push([neighbourId]);
    device.ack(...Array.from({ length: 3000 }, () => pushId));
    await device.settled();
    expect(await t.delivered(pushId)).toBe(0);
  });

  test('an acknowledgement of nothing is one', async () => {
    const device = await loggedIn(unique('device'));
    device.ack();
    await device.settled();
  });

  test.each([
    ['of a message', 4500, (deep: string) => `{"cmd":"data","ids":["a"],"msg":[{"a":${deep}}]}`],
    ['of a field that nobody reads', 30_000, (deep: string) => `{"cmd":"login","x":${deep}}`],
  ])('JSON %s that nests as deep as a frame allows ends no more than its connection', async (_, depth, frame) => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const [stranger, device] = [await connect({ subprotocol: '' }), await connect({ subprotocol: '' })];
    stranger.socket.send(frame(nested(1900)));
    await until(() => stranger.closed);
    expect(stranger.closed?.code).toBe(4103);
    await device.login(t.app.id, unique('device'));
    device.socket.send(frame(nested(depth)));
    await device.settled();
  });
});

describe('frames that break WebSocket', () => {
  const MASK = [0, 0, 0, 0];
  test.each<readonly [string, readonly number[], number]>([
    ['a reserved bit', [0xc2, 0x80, ...MASK], 1002],
    ['a frame without a mask', [0x82, 0x01, 0x00], 1002],
    ['an unknown opcode', [0x83, 0x80, ...MASK], 1002],
    ['a continuation of nothing', [0x80, 0x80, ...MASK], 1002],
    ['a ping in pieces', [0x09, 0x80, ...MASK], 1002],
    ['a close with one byte', [0x88, 0x81, ...MASK, 0x03], 1002],
    ['text that is no text', [0x81, 0x81, ...MASK, 0xff], 1007],
    ['a length beyond all limits', [0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, ...MASK], 1009],
  ])('%s ends its connection only', async (_, bytes, code) => {
    const device = await loggedIn(unique('device'));
    rawStreamOf(device).write(Uint8Array.from(bytes));
    await until(() => device.closed);
    expect(device.closed?.code).toBe(code);
  });

  test('a message in pieces that is too large as a whole ends its connection', async () => {
    const device = await loggedIn(unique('device'));
    const piece = Buffer.alloc(40_000);
    device.socket.send(piece, { fin: false });
    device.socket.send(piece, { fin: true });
    await until(() => device.closed);
    expect(device.closed?.code).toBe(1009);
  });
});

describe('connections that are no WebSocket', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['an upgrade without a key', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['an upgrade to something else', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
  ])('%s ends, and takes no place', async (_, request) => {
    const before = t.gateway.server.size;
    const socket = openTcp(Number(new URL(t.gateway.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(request);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(t.gateway.server.size).toBe(before);
  });

  test('an address has its place back after an upgrade that failed', async () => {
    const small = await t.open({ CONNECTIONS_PER_ADDRESS: 1 });
    const socket = openTcp(Number(new URL(small.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    const device = await loggedIn(unique('device'), { to: small });
    expect(device.closed).toBeUndefined();
  });
});

async function waitedFrames({ metrics }: RunningGateway): Promise<number> {
  return Number(/^pushfleet_gateway_frames_waited_total\S* (\d+)/m.exec(await metrics.text())?.[1] ?? 0);
}

/** What the client's socket writes to. */
const rawStreamOf = ({ socket }: Device) => (socket as unknown as { _socket: Duplex })._socket;

/** The head of a masked binary frame, its mask zero. */
const frameHead = (bytes: number): Buffer => Buffer.from([0x82, 0xfe, bytes >> 8, bytes & 0xff, 0, 0, 0, 0]);

const COMMANDS: readonly Command[] = [
  { cmd: 'login', appId: 'an-app', installationId: 'a-device', i: 1, service: 0 },
  { cmd: 'ack', installationId: 'a-device', ids: ['m1', 'm2'] },
  { cmd: 'data', messages: [{ id: 'm1', text: '{"alert":{"a":[1]}}' }] },
  { cmd: 'session', peerId: 'tom', i: 2 },
  { cmd: 'logout', i: 3 },
  { cmd: 'error', error: { code: 1, reason: 'r' } },
];

const RIGHT_FRAMES = {
  texts: COMMANDS.map((command) => JSON.parse(jsonCodec.encode(command) as string) as object),
  bytes: COMMANDS.map((command) => binaryCodec.encode(command) as Uint8Array),
};

function sendFrame({ socket }: Device, frame: HostileFrame): void {
  if (frame.kind === 'text') socket.send(frame.text);
  else if (frame.kind === 'bytes') socket.send(frame.bytes);
  else if (socket.readyState === socket.OPEN) socket[frame.kind](frame.bytes);
}

function randomFrame(): Buffer {
  return Buffer.from(Array.from({ length: 1 + Math.floor(Math.random() * 60) }, () => Math.floor(Math.random() * 256)));
}
