import { redisHarness, unique, until } from '@pushfleet/testing';
import { WebSocket } from 'ws';
import { Device } from './testing/device';
import { gatewayHarness, type GatewayHarness, type RunningGateway } from './testing/gateway-harness';

const harness = redisHarness();
let t: GatewayHarness;
let gateway: RunningGateway;
const devices: Device[] = [];

beforeAll(async () => {
  t = await gatewayHarness(harness);
  gateway = await t.open();
});

afterEach(async () => {
  await Promise.all(devices.splice(0).map((device) => device.close()));
});

const connect = async (subprotocol?: string, url = gateway.url): Promise<Device> => {
  const device = await Device.connect(url, subprotocol);
  devices.push(device);
  return device;
};

const loggedIn = async (installationId: string, url?: string): Promise<Device> =>
  (await connect(undefined, url)).login(t.app.id, installationId);

describe('the door', () => {
  test.each(['lc.protobuf2.3', 'lc.protobuf2.1'])('%s is echoed, and no extension is agreed on', async (name) => {
    const device = await connect(name);
    expect([device.socket.protocol, device.socket.extensions]).toEqual([name, '']);
  });

  test('a client that offers no subprotocol speaks JSON', async () => {
    const device = await connect('');
    device.socket.send('{}');
    await until(() => device.count('echo') === 1);
    device.socket.send(JSON.stringify({ cmd: 'login', appId: t.app.id, installationId: unique('web') }));
    await until(() => device.count('loggedin') === 1);
  });

  test('a client that offers compression gets none', async () => {
    const device = await Device.connect(gateway.url, 'lc.protobuf2.3', { perMessageDeflate: true });
    devices.push(device);
    expect(device.socket.extensions).toBe('');
  });

  test('plain HTTP is told that this is not the place', async () => {
    const answer = await fetch(gateway.url.replace('ws', 'http'));
    expect([answer.status, await answer.json()]).toEqual([404, { code: 404, error: expect.any(String) }]);
  });

  test('an address with too many connections is cut off without an answer', async () => {
    const small = await t.open({ CONNECTIONS_PER_ADDRESS: 2 });
    const kept = [await connect(undefined, small.url), await connect(undefined, small.url)];
    const refused = new WebSocket(small.url, ['lc.protobuf2.3']);
    const error = await new Promise<Error>((resolve) => refused.once('error', resolve));
    expect(error.message).toMatch(/socket hang up|ECONNRESET/);
    await kept[0]?.close();
    await until(async () => (await connect(undefined, small.url)).socket.readyState === WebSocket.OPEN);
  });
});

describe('login', () => {
  test('needs no installation record, and is answered with the number of its request', async () => {
    const device = await connect();
    await device.login(t.app.id, unique('device'), 7);
    expect(device.heard).toEqual([{ cmd: 'loggedin', service: 0, i: 7 }]);
  });

  test('of an unknown app is refused with 4100', async () => {
    const device = await connect();
    device.send({ cmd: 'login', appId: 'unknown-app', installationId: 'x' });
    await until(() => device.closed);
    expect(device.heard).toEqual([{ cmd: 'error', service: 0, error: { code: 4100, reason: 'APP_NOT_AVAILABLE' } }]);
    expect(device.closed?.code).toBe(4100);
  });

  test('that does not come is not waited for', async () => {
    const hasty = await t.open({ LOGIN_TIMEOUT_MS: 150 });
    const silent = await connect(undefined, hasty.url);
    const device = await loggedIn(unique('device'), hasty.url);
    await until(() => silent.closed);
    expect(silent.closed?.code).toBe(4108);
    expect(device.closed).toBeUndefined();
  });

  test('on another connection takes the installation over, on this gateway and on another', async () => {
    const other = await t.open();
    const installationId = unique('device');
    const first = await loggedIn(installationId);
    const second = await loggedIn(installationId);
    await until(() => first.closed);
    const third = await loggedIn(installationId, other.url);
    await until(() => second.closed);
    expect([first.closed?.code, second.closed?.code]).toEqual([4111, 4111]);
    const pushId = await t.push([installationId]);
    await third.received(pushId);
  });

  test('of many devices behind one address is paced, not refused', async () => {
    const slow = await t.open({ LOGINS_PER_ADDRESS: 10 });
    const startedAt = Date.now();
    await Promise.all(Array.from({ length: 15 }, () => loggedIn(unique('device'), slow.url)));
    expect(Date.now() - startedAt).toBeGreaterThan(400);
  });
});

describe('messages', () => {
  test('that waited arrive after the login, in order, with the ids by which they are acknowledged', async () => {
    const installationId = unique('device');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await t.push([installationId], JSON.stringify({ alert: `no ${n}` })));
    const device = await loggedIn(installationId);
    await device.received(...ids);
    expect(device.ids).toEqual(ids);
    expect(device.heard.find(({ cmd }) => cmd === 'data')).toMatchObject({
      service: 0,
      messages: expect.arrayContaining([{ id: ids[0], text: '{"alert":"no 0"}' }]),
    });
  });

  test('arrive at once on an open connection', async () => {
    const installationId = unique('device');
    const device = await loggedIn(installationId);
    const pushId = await t.push([installationId]);
    await device.received(pushId);
  });

  test('that are not acknowledged come again with the same id; acknowledged ones do not', async () => {
    const installationId = unique('device');
    const device = await loggedIn(installationId);
    const [one, two] = [await t.push([installationId]), await t.push([installationId])];
    await device.received(one, two);
    device.ack(one);
    await until(async () => (await t.delivered(one)) === 1);
    await device.settled();
    device.socket.terminate();
    const again = await loggedIn(installationId);
    await again.received(two);
    expect(again.ids).toEqual([two]);
  });

  test('count as delivered once, however often they are acknowledged, and only where they were sent', async () => {
    const [installationId, stranger] = [unique('device'), unique('device')];
    const pushId = await t.push([installationId]);
    const [device, other] = [await loggedIn(installationId), await loggedIn(stranger)];
    await device.received(pushId);
    other.ack(pushId, 'nonsense');
    await other.settled();
    device.ack(pushId, pushId);
    device.ack(pushId);
    await until(async () => (await t.delivered(pushId)) === 1);
    await device.settled();
    expect(await t.delivered(pushId)).toBe(1);
  });

  test('that fill more than a command are split, none is lost', async () => {
    const installationId = unique('device');
    const text = JSON.stringify({ alert: 'x'.repeat(4000) });
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await t.push([installationId], text));
    const device = await loggedIn(installationId);
    await device.received(...ids);
    expect(device.ids).toEqual(ids);
    expect(device.count('data')).toBeGreaterThanOrEqual(3);
  });

  test('reach devices on every gateway', async () => {
    const other = await t.open();
    const [here, there] = [unique('device'), unique('device')];
    const [a, b] = [await loggedIn(here), await loggedIn(there, other.url)];
    const pushId = await t.push([here, there]);
    await Promise.all([a.received(pushId), b.received(pushId)]);
  });

  test('whose hint was lost are found when the loss is noticed', async () => {
    const installationId = unique('device');
    const device = await loggedIn(installationId);
    const now = Date.now();
    const push = { pushId: unique('').slice(0, 14) + '00', app: t.app.id, text: '{}', expiresAt: now + 60_000 };
    await t.store.mailboxes.put({ push, installationIds: [installationId], limit: 50 });
    await device.settled();
    expect(device.ids).toEqual([]);
    const redis = await harness.open();
    await redis.incr(`${harness.namespace}:gw:{gw:${gateway.node}}:sequence`);
    await t.store.gateways.hint(gateway.node, { kind: 'stored', app: t.app.id, reference: '', installationIds: [] });
    await device.received(push.pushId);
  });
});

describe('what is not push', () => {
  test('chat and live queries are refused without ending the connection', async () => {
    const device = await loggedIn(unique('device'));
    device.send({ cmd: 'session', i: 3 });
    device.send({ cmd: 'login', installationId: 'sub', service: 1, i: 4 });
    await until(() => device.count('error') === 2);
    expect(device.heard.filter(({ cmd }) => cmd === 'error')).toEqual([
      { cmd: 'error', i: 3, error: { code: 4105, reason: expect.any(String) } },
      { cmd: 'error', i: 4, service: 1, error: { code: 4105, reason: expect.any(String) } },
    ]);
    await device.settled();
  });

  test('an echo comes back with its number', async () => {
    const device = await connect();
    device.send({ cmd: 'echo', i: 9 });
    await until(() => device.count('echo') === 1);
    expect(device.heard).toEqual([{ cmd: 'echo', i: 9 }]);
  });
});

describe('hostile clients', () => {
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

  test('fuzzed frames crash nothing and touch no other connection', async () => {
    const installationId = unique('device');
    const witness = await loggedIn(installationId);
    for (let round = 0; round < 50; round += 1) {
      const attacker = await connect();
      if (round % 2 === 0) await attacker.login(t.app.id, unique('attacker'));
      for (let n = 0; n < 20; n += 1) attacker.socket.send(randomFrame(), { binary: n % 5 !== 0 });
    }
    const pushId = await t.push([installationId]);
    await witness.received(pushId);
    expect(witness.closed).toBeUndefined();
  }, 60_000);

  test('bytes that are no WebSocket end only their own connection', async () => {
    const witness = await loggedIn(unique('device'));
    for (let round = 0; round < 20; round += 1) {
      const attacker = await connect();
      // Ends its side: a frame that promises more than it brings would keep the connection open for ever.
      (attacker.socket as unknown as { _socket: { end(bytes: Uint8Array): void } })._socket.end(randomFrame());
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
    const device = await loggedIn(installationId, small.url);
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
  }, 40_000);

  test('a silent connection is given up, one that pings is not', async () => {
    const hasty = await t.open({ IDLE_TIMEOUT_MS: 400 });
    const [silent, alive] = [await loggedIn(unique('device'), hasty.url), await loggedIn(unique('device'), hasty.url)];
    const pinging = setInterval(() => alive.socket.ping(), 50);
    await until(() => silent.closed);
    clearInterval(pinging);
    expect([silent.closed?.code, alive.closed]).toEqual([4107, undefined]);
  });
});

describe('the end', () => {
  const randomly = unique('device');

  test('a stopping gateway takes no new devices, is not advertised, and leaves no presence behind', async () => {
    const leaving = await t.open();
    const device = await loggedIn(randomly, leaving.url);
    await leaving.stop();
    expect(device.closed?.code).toBe(1001);
    await expect(Device.connect(leaving.url)).rejects.toThrow('ECONNREFUSED');
    await until(
      async () => (await t.store.presence.renew(t.app.id, randomly, { node: 'x', connection: 'y' })) !== undefined,
    );
    await until(async () => (await t.store.gateways.living()).every(({ id }) => id !== leaving.node));
  });
});

function randomFrame(): Buffer {
  return Buffer.from(Array.from({ length: 1 + Math.floor(Math.random() * 60) }, () => Math.floor(Math.random() * 256)));
}
