import { setTimeout as delay } from 'node:timers/promises';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';

const DEVICES = 600;

interface ChannelState {
  readonly channel: string;
  readonly consumers: number;
  readonly controls: readonly { readonly state: string }[];
}

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  fleet = await Fleet.start(['hms']);
  await fleet.run('channel-worker', { CHANNEL: 'hms' }, 'worker-hms-2');
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
});

beforeEach(() => fleet.simulator('DELETE', ''));
afterAll(() => fleet.stop());

const decide = (verb: string, scope: object = {}): Promise<ChannelState> =>
  fleet.admin<ChannelState>('POST', `/channels/hms/${verb}`, scope);
const push = async (): Promise<string> => (await fleet.push(app, { data: { alert: 'hi' } })).objectId;
const metric = async (name: string): Promise<string | undefined> => {
  const answer = await fetch(`${fleet.url('worker-hms', 'metrics')}/metrics`);
  return (await answer.text()).split('\n').find((line) => line.startsWith(name));
};

test('a channel that is paused sends nothing, over a restart of Redis too, until it is resumed', async () => {
  const paused = await decide('pause');
  expect(paused).toMatchObject({ consumers: fleet.isOneProcess ? 1 : 2, controls: [{ state: 'paused' }] });
  expect(await metric('pushfleet_channel_paused')).toMatch(/channel="hms".* 1$/);
  await fleet.redis.stop();
  await fleet.redis.start();
  const pushId = await until(push, { everyMs: 200 });
  await delay(1500);
  expect((await fleet.traffic('hms')).calls).toBe(0);
  // The console comes back to Redis by itself.
  await until(() => decide('resume'));
  const record = await fleet.done(app, pushId);
  expectBalanced(record);
  expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES });
  expect(await metric('pushfleet_channel_paused')).toMatch(/ 0$/);
});

test('a channel that is drained sends what was there before, holds the rest, and is paused then', async () => {
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 400 });
  await decide('pause');
  const before = await push();
  await decide('drain');
  const later = await push();
  expect((await fleet.done(app, before)).channels['hms']).toMatchObject({ accepted: DEVICES });
  await until(async () => {
    const { results } = await fleet.admin<{ results: readonly ChannelState[] }>('GET', '/channels');
    return results.find(({ channel }) => channel === 'hms')?.controls[0]?.state === 'paused';
  });
  expect(await fleet.record(app, later)).toMatchObject({ status: 'in-queue' });
  await decide('resume');
  expect((await fleet.done(app, later)).channels['hms']).toMatchObject({ accepted: DEVICES });
});

test('an app whose work is discarded is booked without a call, once that is confirmed', async () => {
  await decide('pause', { app: app.id });
  const waiting = await push();
  const scope = { app: app.id };
  const preview = () => fleet.admin<{ devices: number }>('GET', `/channels/hms/discard?app=${app.id}`);
  await until(async () => (await preview()).devices === DEVICES);
  expect(await preview()).toEqual({ pushes: 1, devices: DEVICES, complete: true });
  await expect(decide('discard', { ...scope, confirm: DEVICES - 1 })).rejects.toThrow(
    `${DEVICES} devices wait (pushes: 1)`,
  );
  await decide('discard', { ...scope, confirm: DEVICES });
  for (const pushId of [waiting, await push()]) {
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record.channels['hms']?.discarded).toEqual({ 'channel-unavailable': DEVICES });
  }
  expect((await fleet.traffic('hms')).calls).toBe(0);
  await decide('resume', scope);
});

test('a profile is used, or missing, from the answer on', async () => {
  const profile = `/apps/${app.id}/profiles/hms/_default`;
  for (let round = 0; round < 2; round += 1) {
    expect(await fleet.admin('DELETE', profile)).toEqual({});
    const without = await fleet.done(app, await push());
    expect(without.channels['hms']?.discarded).toEqual({ 'profile-missing': DEVICES });
    expect(await fleet.admin('PUT', profile, simulatorProfiles.hms)).not.toHaveProperty('pendingProcesses');
    expect((await fleet.done(app, await push())).channels['hms']).toMatchObject({ accepted: DEVICES });
  }
});

test('a key that was replaced is taken until it is ended, and from that answer on nowhere', async () => {
  const old = app;
  const keys = `/apps/${app.id}/keys`;
  const next = await fleet.admin<DemoApp>('POST', keys, { which: 'masterKey' });
  const reads = (by: DemoApp) => fleet.callAsServer(by, ['GET', '/installations?limit=1']);
  for (const by of [old, next]) await reads(by);
  await fleet.admin('DELETE', `/apps/${app.id}/replaced-keys/masterKey`);
  await expect(reads(old)).rejects.toThrow('Unauthorized.');
  app = await fleet.admin<DemoApp>('POST', keys, { which: 'masterKey', keepOldMs: 0 });
  await expect(reads(next)).rejects.toThrow('Unauthorized.');
  await reads(app);
});
