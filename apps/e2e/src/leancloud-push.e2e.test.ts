import { until } from '@pushfleet/testing';
import LCPush from 'leancloud-push';
import request from 'request';
import { Fleet, type DemoApp } from './fleet';

let fleet: Fleet;
let app: DemoApp;
let client: LCPush;
const heard: Readonly<Record<string, unknown>>[] = [];

beforeAll(async () => {
  fleet = await Fleet.start(['own']);
  await fleet.run('gateway');
  app = await fleet.createApp();
  client = new LCPush({ appId: app.id, appKey: app.key, installationId: LCPush.genInstallationId() });
  // Its hosts are fixed to those of the hosted service; these fields are all that is changed.
  client.server = { server: fleet.url('gateway'), expires: new Date(Date.now() + 3_600_000) };
  client.request = request.defaults({
    baseUrl: `${fleet.url('ingress')}/1.1`,
    headers: { 'X-AVOSCloud-Application-Id': app.id, 'X-AVOSCloud-Application-Key': app.key },
  });
  client.on('message', (message) => heard.push(message));
  await new Promise<void>((resolve, reject) => client.open((error) => (error ? reject(error) : resolve())));
});

afterAll(async () => {
  client?.close();
  // It would go on after its end.
  clearTimeout(client?.heartbeatsTimer);
  await fleet.stop();
});

const calling = <T>(call: (done: (error: unknown, answer: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => call((error, answer) => (error ? reject(error as Error) : resolve(answer))));

const subscribe = (channels: readonly string[], isRemoval = false): Promise<unknown> =>
  calling((done) => client.subscribeChannels(channels, done, isRemoval));

const send = (alert: string, channel: string): Promise<{ objectId: string }> =>
  calling((done) => client.sendPush({ data: { alert }, where: { channels: channel } }, done));

test('the unmodified push client subscribes, gets a push and acknowledges it', async () => {
  await subscribe(['news']);
  const { objectId } = await send('for subscribers', 'news');
  await until(() => heard.some(({ alert }) => alert === 'for subscribers'));
  await until(async () => (await fleet.record(app, objectId)).channels['own']?.delivered === 1);
});

test('after unsubscribing it gets nothing more from that channel', async () => {
  await subscribe(['news', 'sports']);
  await subscribe(['news'], true);
  const { objectId } = await send('nobody hears this', 'news');
  expect(await fleet.done(app, objectId)).toMatchObject({ devices: 0 });
  await send('but this', 'sports');
  await until(() => heard.some(({ alert }) => alert === 'but this'));
  expect(heard.map(({ alert }) => alert)).not.toContain('nobody hears this');
});
