import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect as openTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { anApp, redisHarness, unique, until } from '@pushfleet/testing';
import { WebSocket } from 'ws';
import { drain } from './drain';
import { gatewayHarness } from './testing/gateway-harness';

const harness = redisHarness();
const t = gatewayHarness(harness);
const { connect, loggedIn } = t;

afterEach(() => t.closeDevices());

describe('the door', () => {
  test.each(['lc.protobuf2.3', 'lc.protobuf2.1'])('%s is echoed, and no extension is agreed on', async (name) => {
    const device = await connect({ subprotocol: name });
    expect([device.socket.protocol, device.socket.extensions]).toEqual([name, '']);
  });

  test('a client that offers no subprotocol speaks JSON', async () => {
    const device = await connect({ subprotocol: '' });
    device.socket.send('{}');
    await until(() => device.count('echo') === 1);
    device.socket.send(JSON.stringify({ cmd: 'login', appId: t.app.id, installationId: unique('web') }));
    await until(() => device.count('loggedin') === 1);
  });

  test('a client that offers compression gets none', async () => {
    const device = await connect({ perMessageDeflate: true });
    expect(device.socket.extensions).toBe('');
  });

  test('plain HTTP is told that this is not the place', async () => {
    const answer = await fetch(t.gateway.url.replace('ws', 'http'));
    expect([answer.status, await answer.json()]).toEqual([404, { code: 404, error: expect.any(String) }]);
  });

  test('plain HTTP is told so once, and its connection ends', async () => {
    const socket = openTcp(Number(new URL(t.gateway.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 404/g)).toHaveLength(1);
  });

  const aKey = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const versions = { 'sec-websocket-version': '13' };

  test.each([
    { why: 'no key', status: 400, told: versions },
    { why: 'the version', headers: { ...aKey, 'sec-websocket-version': '99' }, status: 400, told: versions },
    { why: 'the method', method: 'POST', headers: aKey, status: 405, told: { allow: 'GET' } },
  ])('an upgrade that cannot be is refused in JSON: $why', async ({ method, headers, status, told }) => {
    const offer = { method: method ?? 'GET', headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers } };
    const call = request(t.gateway.url.replace('ws', 'http'), offer).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json;charset=utf-8', ...told });
    expect(JSON.parse(await text(answer))).toEqual({ code: status, error: expect.any(String) });
  });

  test('an address with too many connections is cut off without an answer', async () => {
    const small = await t.open({ CONNECTIONS_PER_ADDRESS: 2 });
    const kept = [await connect({ to: small }), await connect({ to: small })];
    const refused = new WebSocket(small.url, ['lc.protobuf2.3']);
    const error = await new Promise<Error>((resolve) => refused.once('error', resolve));
    expect(error.message).toMatch(/socket hang up|ECONNRESET/);
    await kept[0]?.close();
    await until(async () => (await connect({ to: small })).socket.readyState === WebSocket.OPEN);
  });

  test('the addresses of one IPv6 subscriber count as one', async () => {
    const small = await t.open({ CONNECTIONS_PER_ADDRESS: 2, PROXY_HOPS: 1 });
    const from = (address: string) => connect({ to: small, headers: { 'x-forwarded-for': address } });
    await Promise.all([from('2001:db8:1:2::1'), from('2001:db8:1:2:ffff::2')]);
    await expect(from('2001:db8:1:2::3')).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect((await from('2001:db8:1:3::1')).closed).toBeUndefined();
  });
});

test('a device that logs in is confirmed', async () => {
  const quick = await t.open({ LOGIN_TIMEOUT_MS: 900 });
  const [app, installationId] = [t.app.id, unique('device')];
  const client = { columns: [], channelPrefixes: [] };
  await t.store.installations.save({ app, body: { deviceType: 'android', installationId }, now: Date.now(), client });
  const unconfirmed = async (): Promise<number> => (await t.store.installations.room(app)).unconfirmed;
  expect(await unconfirmed()).toBe(1);
  await (await connect({ to: quick })).login(app, installationId);
  await until(async () => (await unconfirmed()) === 0);
});

test('the devices of an app that is deleted are told that there is none, and leave no presence', async () => {
  const quick = await t.open({ LOGIN_TIMEOUT_MS: 900 });
  const app = anApp();
  await t.store.apps.create(app);
  const [device, other] = [await connect({ to: quick }), await connect({ to: quick })];
  const installationId = unique('device');
  await device.login(app.id, installationId);
  await other.login(t.app.id, unique('device'));
  await t.store.apps.remove(app.id);
  await until(() => device.closed !== undefined);
  expect([device.closed?.code, other.closed]).toEqual([4100, undefined]);
  const nobody = { node: 'n', connection: 'c' };
  await until(async () => (await t.store.presence.renew(app.id, installationId, nobody)) !== undefined);
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
    const silent = await connect({ to: hasty });
    const device = await loggedIn(unique('device'), { to: hasty });
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
    const third = await loggedIn(installationId, { to: other });
    await until(() => second.closed);
    expect([first.closed?.code, second.closed?.code]).toEqual([4111, 4111]);
    const pushId = await t.push([installationId]);
    await third.received(pushId);
  });

  test('of many devices behind one address is paced, not refused', async () => {
    const slow = await t.open({ LOGINS_PER_ADDRESS: 10 });
    const startedAt = Date.now();
    await Promise.all(Array.from({ length: 15 }, () => loggedIn(unique('device'), { to: slow })));
    expect(Date.now() - startedAt).toBeGreaterThan(400);
  });

  test('that waited for its turn does not take the installation from a connection that logged in meanwhile', async () => {
    const slow = await t.open({ LOGINS_PER_ADDRESS: 1, PROXY_HOPS: 1 });
    const from = (address: string) => ({ to: slow, headers: { 'x-forwarded-for': address } });
    await loggedIn(unique('device'), from('203.0.113.1'));
    const installationId = unique('device');
    // The phone left this network before the login had its turn, and nobody noticed.
    const lost = await connect(from('203.0.113.1'));
    lost.send({ cmd: 'login', appId: t.app.id, installationId });
    await lost.settled();
    const present = await loggedIn(installationId, from('203.0.113.2'));
    await until(() => lost.closed ?? present.closed);
    expect([lost.closed?.code, present.closed]).toEqual([4111, undefined]);
    await present.received(await t.push([installationId]));
  });
});

test('a wall clock that is set an hour ahead, and then back, ends no connection and holds up no login', async () => {
  let aheadMs = 0;
  const misled = await t.open({ LOGIN_TIMEOUT_MS: 300 }, () => Date.now() + aheadMs);
  const device = await loggedIn(unique('device'), { to: misled });
  for (const change of [3_600_000, -3_600_000]) {
    aheadMs += change;
    const silent = await connect({ to: misled });
    // Whoever is silent for too long is looked for once at least.
    await until(() => silent.closed);
    expect(device.closed).toBeUndefined();
    const other = await connect({ to: misled });
    other.send({ cmd: 'login', appId: t.app.id, installationId: unique('device') });
    await until(() => other.closed ?? other.count('loggedin') === 1);
    expect(other.closed).toBeUndefined();
  }
});

describe('logout', () => {
  test('and a login as somebody else on the same connection mix up nothing, however fast they follow', async () => {
    const slow = await t.open({ LOGINS_PER_ADDRESS: 5 });
    const [former, latter] = [unique('former'), unique('latter')];
    const [toFormer, toLatter] = [await t.push([former]), await t.push([latter])];
    const device = await connect({ to: slow });
    for (const installationId of [former, latter, former, latter]) {
      device.send({ cmd: 'login', appId: t.app.id, installationId });
      if (installationId === former) device.send({ cmd: 'logout' });
      else if (device.count('logout') === 0) device.send({ cmd: 'echo' });
    }
    await until(() => device.closed ?? device.count('loggedin') > 0);
    expect(device.closed?.code).toBe(4103);
    const other = await connect({ to: slow });
    other.send({ cmd: 'login', appId: t.app.id, installationId: former });
    other.send({ cmd: 'logout' });
    other.send({ cmd: 'login', appId: t.app.id, installationId: latter });
    await other.received(toLatter);
    const again = await t.push([former]);
    await other.settled();
    expect(other.ids).toEqual([toLatter]);
    const rightful = await loggedIn(former);
    await rightful.received(toFormer, again);
  });

  test('takes the presence away, and the next login on the connection brings it back', async () => {
    const installationId = unique('device');
    const device = await loggedIn(installationId);
    device.send({ cmd: 'logout', i: 1 });
    await until(() => device.count('loggedout') === 1);
    const missed = await t.push([installationId]);
    await device.settled();
    expect(device.ids).toEqual([]);
    await device.login(t.app.id, installationId);
    await device.received(missed);
    await device.received(await t.push([installationId]));
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

  test('that a bad network held up may be acknowledged one by one, all at once', async () => {
    const installationId = unique('device');
    const device = await loggedIn(installationId);
    device.socket.on('message', () => device.heard.at(-1)?.messages?.forEach(({ id }) => device.ack(id)));
    device.socket.pause();
    const pushIds: string[] = [];
    for (let n = 0; n < 250; n += 1) pushIds.push(await t.push([installationId]));
    device.socket.resume();
    await until(async () => device.closed ?? (await t.delivered(pushIds.at(-1) ?? '')) === 1);
    expect(device.closed).toBeUndefined();
    await device.settled();
  });

  test('that are more than may wait for a device arrive all the same, in order', async () => {
    const [installationId, count] = [unique('device'), 400];
    // Some stand in the buffers of the system, which nobody counts.
    const text = JSON.stringify({ alert: 'x'.repeat(40_000) });
    const expiresAt = Date.now() + 600_000;
    const ids = Array.from({ length: count }, () => unique('push'));
    for (const pushId of ids) {
      const push = { pushId, app: t.app.id, text, expiresAt };
      await t.store.mailboxes.put({ push, installationIds: [installationId], limit: count });
    }
    const device = await connect();
    device.socket.on('message', () => device.ack(...(device.heard.at(-1)?.messages ?? []).map(({ id }) => id)));
    await device.login(t.app.id, installationId);
    await until(() => device.closed ?? device.ids.length >= count);
    expect(device.closed).toBeUndefined();
    expect(device.ids).toEqual(ids);
    await until(async () => (await t.store.mailboxes.held(t.app.id, installationId)).length === 0);
  });

  test('reach devices on every gateway', async () => {
    const other = await t.open();
    const [here, there] = [unique('device'), unique('device')];
    const [a, b] = [await loggedIn(here), await loggedIn(there, { to: other })];
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
    await redis.incr(`${harness.namespace}:gw:{gw:${t.gateway.node}}:sequence`);
    await t.store.gateways.hint(t.gateway.node, { kind: 'stored', app: t.app.id, reference: '', installationIds: [] });
    await device.received(push.pushId);
  });
});

describe('what is not push', () => {
  test('chat is refused without ending the connection, and a live query learns elsewhere that there is none', async () => {
    const device = await loggedIn(unique('device'));
    device.send({ cmd: 'session', i: 3, peerId: 'tom' });
    device.send({ cmd: 'login', installationId: 'sub', service: 1, i: 4 });
    await until(() => device.count('loggedin') === 2);
    expect(device.heard.slice(1)).toEqual([
      { cmd: 'error', i: 3, peerId: 'tom', error: { code: 4105, reason: expect.any(String) } },
      { cmd: 'loggedin', i: 4, service: 1 },
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

describe('the end', () => {
  const randomly = unique('device');
  const log = { info: () => undefined };
  const patience = { drainMs: 60_000, cutoff: new AbortController().signal, log };

  test('a draining gateway serves the devices that it has, and is done when the last one has left', async () => {
    const leaving = await t.open();
    const device = await loggedIn(unique('device'), { to: leaving });
    const drained = drain({ ...leaving, ...patience });
    await until(async () => (await t.store.gateways.living()).find(({ id }) => id === leaving.node)?.isDraining);
    await expect(connect({ to: leaving })).rejects.toThrow('ECONNREFUSED');
    const mine = await loggedIn(unique('device'));
    expect(mine.closed).toBeUndefined();
    await device.settled();
    device.socket.ping();
    await new Promise((resolve) => device.socket.once('pong', resolve));
    expect(device.closed).toBeUndefined();
    device.socket.close();
    await drained;
  });

  test('a draining gateway still delivers and takes acknowledgements', async () => {
    const leaving = await t.open();
    const installationId = unique('device');
    const device = await loggedIn(installationId, { to: leaving });
    const drained = drain({ ...leaving, ...patience });
    const pushId = await t.push([installationId]);
    await device.received(pushId);
    device.ack(pushId);
    await until(async () => (await t.delivered(pushId)) === 1);
    device.socket.close();
    await drained;
  });

  test('after DRAIN_MS the rest is closed with 1001 and no other word, and sooner when nobody waits any longer', async () => {
    for (const ending of [() => ({ drainMs: 300 }), () => ({ cutoff: AbortSignal.timeout(300) })]) {
      const leaving = await t.open();
      const device = await loggedIn(unique('device'), { to: leaving });
      const startedAt = Date.now();
      await drain({ ...leaving, ...patience, ...ending() });
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(290);
      await until(() => device.closed);
      expect([device.closed?.code, device.count('other')]).toEqual([1001, 0]);
    }
  });

  test('a stopping gateway takes no new devices, is not advertised, and leaves no presence behind', async () => {
    const leaving = await t.open();
    const device = await loggedIn(randomly, { to: leaving });
    await leaving.stop();
    expect(device.closed?.code).toBe(1001);
    await expect(connect({ to: leaving })).rejects.toThrow('ECONNREFUSED');
    await until(
      async () => (await t.store.presence.renew(t.app.id, randomly, { node: 'x', connection: 'y' })) !== undefined,
    );
    await until(async () => (await t.store.gateways.living()).every(({ id }) => id !== leaving.node));
  });
});
