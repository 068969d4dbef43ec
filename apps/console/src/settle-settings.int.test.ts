import { repeat } from '@pushfleet/service-kit';
import { openStore, type Store } from '@pushfleet/store';
import { SECRET_KEY } from '@pushfleet/testing';
import { consoleHarness } from './testing/console-harness';

const SETTLING_MS = 300;
const admin = consoleHarness({ ports: { settlingMs: SETTLING_MS } });

const aProcess = (id: string) => ({
  id,
  role: 'channel-worker',
  labels: { channel: 'hms' },
  version: '1.2.3',
  since: 1,
});

const another = (): Store =>
  openStore({ redis: admin.redis, namespace: admin.namespace, secretKey: SECRET_KEY, vendors: new Map() });

async function newApp(): Promise<string> {
  const { body } = await admin.call('POST', '/apps', { name: 'Settled', edition: 'commercial' });
  return String(body['id']);
}

afterEach(async () => {
  for (const { id } of await admin.store.processes.list()) await admin.store.processes.leave(id);
});

/** Every operation that changes what other processes remember. */
const changes = (app: string): readonly (readonly [method: string, path: string, body?: object])[] => [
  ['PATCH', `/apps/${app}`, { hybrid: true }],
  ['PUT', `/apps/${app}/profiles/mi/_default`, { appId: '1', appSecret: 'sim-secret', packageName: 'com.example' }],
  ['DELETE', `/apps/${app}/profiles/mi/_default`],
  ['POST', `/apps/${app}/keys`, { which: 'key' }],
  ['POST', '/channels/mi/pause', { app }],
  ['POST', '/channels/mi/drain', { app }],
  ['POST', '/channels/mi/discard', { app, confirm: 0 }],
  ['POST', '/channels/mi/resume', { app }],
  ['DELETE', `/apps/${app}`],
];

it('a change is answered when every process that beats works with it', async () => {
  const app = await newApp();
  const worker = another();
  await worker.settings.take();
  await worker.processes.beat(aProcess('host-1-a'));
  const takes: unknown[] = [];
  const looks = repeat(
    20,
    async () => {
      if (!(await worker.settings.take())) return;
      takes.push(worker.settings.known());
      await worker.processes.beat(aProcess('host-1-a'));
    },
    (error) => void takes.push(error),
  );
  for (const [i, [method, path, body]] of changes(app).entries()) {
    const answer = await admin.call(method, path, body);
    expect([path, answer.status, answer.body['pendingProcesses']]).toEqual([path, 200, undefined]);
    expect(takes).toHaveLength(i + 1);
  }
  await looks.stop();
});

it('a process that does not say that it knows is named, and the change is done', async () => {
  const app = await newApp();
  const hung = another();
  await hung.settings.take();
  await hung.processes.beat(aProcess('host-7-b'));
  const pendingProcesses = [{ id: 'host-7-b', role: 'channel-worker', channel: 'hms' }];
  const { status, body } = await admin.call('PATCH', `/apps/${app}`, { name: 'Renamed' });
  expect({ status, body }).toMatchObject({ status: 200, body: { name: 'Renamed', pendingProcesses } });
  expect((await admin.call('DELETE', `/apps/${app}`)).body).toMatchObject({ purge: {}, pendingProcesses });
});

it('what is no setting waits for nobody', async () => {
  const hung = another();
  await hung.settings.take();
  await hung.processes.beat(aProcess('host-7-b'));
  await admin.store.settings.changed();
  const { status, body } = await admin.call('POST', '/apps', { name: 'Created', edition: 'commercial' });
  expect([status, body['pendingProcesses']]).toEqual([201, undefined]);
});
