import { freePort, until } from '@pushfleet/testing';
import { startSmallFleet, type SmallFleet } from '../testing/small-fleet';
import { Crowd } from './crowd';
import { installationIdOf } from './device';
import type { DevicePlan } from './plan';

let fleet: SmallFleet;
const crowds: Crowd[] = [];
const hopeless: Error[] = [];

beforeEach(async () => {
  fleet = await startSmallFleet();
});

afterEach(async () => {
  await Promise.all(crowds.splice(0).map((crowd) => crowd.close()));
  await fleet.stop();
});

function startCrowd(changes: Partial<DevicePlan> = {}): Crowd {
  const plan: DevicePlan = {
    ...{ ingressUrl: fleet.url, appId: 'app-1', appKey: 'top-secret', prefix: 'test', count: 10 },
    ...{ isRegistering: true, ackShare: 1, heartbeatMs: 60_000, dropEveryMs: undefined },
    ...changes,
  };
  const crowd = new Crowd(plan, { first: 0, count: plan.count }, (error) => hopeless.push(error));
  crowds.push(crowd);
  crowd.start();
  return crowd;
}

it('registers every device with the key of the app, asks the router without it, and logs in', async () => {
  const crowd = startCrowd();
  await until(() => crowd.tally.connected === 10);
  expect(crowd.tally).toMatchObject({ registered: 10, reconnects: 0, failures: 0 });
  const installationId = installationIdOf('test', 3);
  expect(installationId).toMatch(/^[0-9a-f]{32}$/);
  expect(fleet.online.has(installationId)).toBe(true);
  expect(fleet.commands).toContainEqual({ cmd: 'login', appId: 'app-1', installationId });
  expect(fleet.requests).toContain('POST /1.1/installations?fetchWhenSave=true top-secret');
  expect(fleet.requests).toContain(`GET /v1/route?appId=app-1&installationId=${installationId}&secure=1 undefined`);
});

it('acknowledges on the given share of the devices, and tells duplicates from messages', async () => {
  const crowd = startCrowd({ ackShare: 0.3 });
  await until(() => crowd.tally.connected === 10);
  fleet.push('m1');
  fleet.push('m1');
  await until(() => crowd.tally.duplicates === 10);
  expect(crowd.tally).toMatchObject({ received: 10, acked: 3 });
  expect(crowd.messages).toEqual({ m1: { received: 10, acked: 3 } });
  await until(() => fleet.commands.filter(({ cmd }) => cmd === 'ack').length === 6);
});

it('comes back after a loss, through the other address, and knows what it has got', async () => {
  const crowd = startCrowd();
  await until(() => crowd.tally.connected === 10);
  fleet.push('m1');
  await until(() => crowd.tally.received === 10);
  for (const socket of fleet.online.values()) socket.terminate();
  await until(() => crowd.tally.reconnects === 10 && crowd.tally.connected === 10);
  fleet.push('m1');
  await until(() => crowd.tally.duplicates === 10);
  expect(crowd.tally.received).toBe(10);
});

it('drops connections by itself, on average after the given time', async () => {
  const crowd = startCrowd({ dropEveryMs: 1000 });
  await until(() => crowd.tally.reconnects > 10);
});

it('gives up a connection that does not answer its pings', async () => {
  const crowd = startCrowd({ count: 1, heartbeatMs: 1000 });
  await until(() => crowd.tally.connected === 1);
  fleet.online.forEach((socket) => socket.pause());
  await until(() => crowd.tally.reconnects === 1);
});

it('tries again what failed, and gives up when the key is wrong', async () => {
  fleet.refusals.push(503, 500);
  const patient = startCrowd({ count: 2 });
  await until(() => patient.tally.connected === 2);
  expect(patient.tally.failures).toBe(2);
  fleet.refusals.push(401);
  startCrowd({ count: 1, prefix: 'other' });
  await until(() => hopeless.length === 1);
  expect(hopeless[0]?.message).toContain('HTTP 401');
  expect(hopeless[0]?.message).not.toContain('top-secret');
});

it('closes with a farewell, and stays closed', async () => {
  const crowd = startCrowd();
  await until(() => crowd.tally.connected === 10);
  const codes: number[] = [];
  fleet.online.forEach((socket) => socket.on('close', (code) => codes.push(code)));
  await crowd.close();
  await until(() => codes.length === 10);
  expect(new Set(codes)).toEqual(new Set([1000]));
});

it('connects to the gateway that it is given, whatever the route says', async () => {
  const crowd = startCrowd({ count: 1, gatewayUrl: fleet.url.replace('http', 'ws') });
  await until(() => crowd.tally.connected === 1);
  expect(fleet.requests.some((line) => line.startsWith('GET /v1/route'))).toBe(true);
});

it('says why nothing comes about', async () => {
  const port = await freePort();
  const unreachable = startCrowd({ count: 1, gatewayUrl: `ws://127.0.0.1:${port}` });
  await until(() => unreachable.lastFailure !== undefined);
  expect(unreachable.lastFailure).toMatch(new RegExp(`^cannot connect to ws://127.0.0.1:${port}/? \\(.*ECONNREFUSED`));
  const noIngress = startCrowd({ count: 1, ingressUrl: `http://127.0.0.1:${port}` });
  await until(() => noIngress.lastFailure !== undefined);
  expect(noIngress.lastFailure).toBe(`cannot reach http://127.0.0.1:${port} (ECONNREFUSED)`);
});
