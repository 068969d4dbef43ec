import { Duplex } from 'node:stream';
import { channelOfVendor } from '@pushfleet/channels';
import { jsonCodec } from '@pushfleet/own-protocol';
import { openRedis, openStore, type Store } from '@pushfleet/store';
import { anApp, redisHarness, SECRET_KEY, unique, until } from '@pushfleet/testing';
import { Connection, type ConnectionPorts } from './connection';
import { DeviceSocket } from './device-socket';
import { Hub, type HubPorts } from './hub';
import { openMessageCache } from './message-cache';

const harness = redisHarness();
const HOUR = 3_600_000;
const nothing = (): void => undefined;

const errors: unknown[] = [];
let clock = 0;
let renewals: string[] = [];

let store: Store;
let hub: Hub;
const app = anApp();

beforeAll(async () => {
  const redis = await openRedis({ url: harness.url, patience: 'wait', onError: nothing });
  harness.onClose(() => redis.disconnect());
  store = openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
  await store.apps.create(app);
  const presence: HubPorts['presence'] = {
    ...store.presence,
    renew(of, installationId, at) {
      renewals.push(installationId);
      return store.presence.renew(of, installationId, at);
    },
  };
  hub = new Hub({
    ...{ ...store, presence, node: 'this', messages: openMessageCache(store.mailboxes, Date.now), now: () => clock },
    addresses: { loginDelayMs: () => 0 },
    ...{ onDelivered: nothing, onLogin: nothing, onBacklog: nothing, onError: (error) => void errors.push(error) },
  });
});

/** Of a device that is never written to. */
async function joined(installationId: string): Promise<Connection> {
  const ports: ConnectionPorts = {
    ...{ now: () => clock, maxBufferedBytes: 1, framesPerSecond: 0, bytesPerSecond: 0, idPrefix: unique('x') },
    turns: { take: (speaker, frame) => speaker.attend(frame), forget: nothing },
    perform: (connection, effect) => hub.perform(connection, effect),
    ...{ onCommand: nothing, onSent: nothing, onClosed: nothing, onFault: nothing },
  };
  const [socket, stream] = [new DeviceSocket(null as never, undefined, {}), new Duplex({ read: nothing })];
  const connection = new Connection({ socket, stream, codec: jsonCodec, ports, number: 1, address: 'a' });
  connection.attend(JSON.stringify({ cmd: 'login', appId: app.id, installationId }));
  await until(
    async () => await store.presence.renew(app.id, installationId, { node: 'this', connection: connection.id }),
  );
  return connection;
}

test('a look that begins while the one before goes on renews nothing twice', async () => {
  const devices = [unique('a'), unique('b')];
  for (const device of devices) await joined(device);
  clock += HOUR + 1;
  await Promise.all([hub.tend(), hub.tend(), hub.tend()]);
  expect(renewals.sort()).toEqual(devices);
  renewals = [];
  clock += HOUR + 1;
  await hub.tend();
  expect(renewals.sort()).toEqual(devices);
  expect(errors).toEqual([]);
});
