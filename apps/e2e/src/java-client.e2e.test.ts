import { until } from '@pushfleet/testing';
import { createOldApp } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import {
  DATA_BEGINS,
  javaAck,
  LIVE_QUERY_LOGIN,
  LOGGED_IN,
  LOGGED_IN_WITH_NUMBER,
  LOGIN,
  LOGIN_WITH_NUMBER,
  RECORDED,
  RecordedJavaClient,
  SYSTEM_INFO,
} from './testing/recorded-java-client';

let fleet: Fleet;
let app: DemoApp;
const clients: RecordedJavaClient[] = [];

beforeAll(async () => {
  fleet = await Fleet.start(['mi', 'own']);
  await fleet.run('gateway');
  const { appId: id, appKey: key } = RECORDED;
  app = await createOldApp(fleet, { id, key, edition: 'developer', hybrid: false });
});

afterAll(() => fleet.stop());

afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

/** As the SDK does: the router first, then the address that it names. */
async function connect(): Promise<RecordedJavaClient> {
  const query = `appId=${RECORDED.appId}&installationId=${RECORDED.installationId}&secure=1`;
  const answer = await fetch(`${fleet.url('ingress')}/v1/route?${query}`);
  const { server } = (await answer.json()) as { server: string };
  const client = await RecordedJavaClient.connect(server);
  clients.push(client);
  return client;
}

async function loggedIn(login = LOGIN): Promise<RecordedJavaClient> {
  const client = await connect();
  client.send(login);
  await client.hears(LOGGED_IN);
  return client;
}

interface Saved {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The headers of LeanCloud Java SDK 8.2.28: a signature, never the key, and an empty session. */
const HEADERS = {
  ...{ 'x-lc-id': RECORDED.appId, 'x-lc-sign': RECORDED.sign, 'x-lc-session': '', 'x-lc-prod': '1' },
  ...{ 'user-agent': 'LeanCloud-Java-SDK/8.2.28', 'content-type': 'application/json; charset=UTF-8' },
};

async function save(method: 'POST' | 'PUT', path: string, body: object): Promise<Saved> {
  const url = `${fleet.url('ingress')}/1.1/installations${path}?fetchWhenSave=true`;
  const answer = await fetch(url, { method, headers: HEADERS, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) as Saved['body'] };
}

const FIRST = { deviceType: 'android', timeZone: 'Etc/UTC', installationId: RECORDED.installationId };

const pushToAll = async (push: object = {}): Promise<string> =>
  (await fleet.push(app, { data: { alert: 'Hello' }, ...push })).objectId;

describe('the upgrade', () => {
  test('is answered with the subprotocol and without any extension', async () => {
    const { upgrade } = await connect();
    expect(upgrade.statusCode).toBe(101);
    expect(upgrade.headers['sec-websocket-protocol']).toBe('lc.protobuf2.3');
    expect(upgrade.headers['sec-websocket-extensions']).toBeUndefined();
  });

  test('is followed by a pong for every ping: the SDK counts nothing else as life', async () => {
    const client = await loggedIn();
    client.socket.ping();
    client.socket.ping();
    await until(() => client.pongs === 2);
  });
});

describe('recorded logins', () => {
  test.each([
    ['of a JVM, without a number', LOGIN, LOGGED_IN],
    ['of Android, which tells about the system', LOGIN + SYSTEM_INFO, LOGGED_IN],
    ['of the JavaScript client, with a number', LOGIN_WITH_NUMBER, LOGGED_IN_WITH_NUMBER],
  ])('%s get the recorded answer, byte for byte', async (_, login, answer) => {
    const client = await connect();
    client.send(login);
    await client.hears(answer);
    expect(client.frames[0]).toBe(answer);
  });

  test('to a live query are answered by service and number, and the socket stays', async () => {
    const client = await loggedIn();
    client.send(LIVE_QUERY_LOGIN);
    // loggedin, number 1, service 1
    await client.hears('080f28014001');
    expect(client.closed).toBeUndefined();
  });

  test('of an app that nobody knows are answered by the router, and refused on the socket with 4100', async () => {
    const answer = await fetch(`${fleet.url('ingress')}/v1/route?appId=${'x'.repeat(22)}&secure=1`);
    expect(answer.status).toBe(200);
    const client = await connect();
    client.send(LOGIN.replace(Buffer.from(RECORDED.appId).toString('hex'), '78'.repeat(22)));
    await until(() => client.closed === 4100);
    expect(client.frames).toEqual(['08074000ba061608842012114150505f4e4f545f415641494c41424c45']);
  });
});

test('login before the installation exists, whole-document saves, pushes, acknowledgements: as the SDK was recorded', async () => {
  const client = await loggedIn(LOGIN + SYSTEM_INFO);
  const [one, two] = await Promise.all([save('POST', '', FIRST), save('POST', '', { ...FIRST, channels: ['news'] })]);
  expect(one.body['objectId']).toBe(two.body['objectId']);
  expect([one.status, two.status].sort()).toEqual([201, 201]);

  const early = await pushToAll();
  await until(() => client.ids.includes(early));
  expect(client.frames.at(-1)).toMatch(new RegExp(`^${DATA_BEGINS}`));
  const [message] = client.pushes[0]?.messages ?? [];
  expect(JSON.parse(message?.text ?? '')).toEqual({
    alert: 'Hello',
    _expiration_time: expect.stringMatching(/\.\d{3}Z$/),
  });
  client.send(javaAck(early));
  await until(async () => (await fleet.record(app, early)).channels['own']?.delivered === 1);

  const objectId = String(one.body['objectId']);
  const steps = [
    { ...FIRST, channels: ['news', 'sports'] },
    { ...FIRST, channels: ['news', 'sports'], vendor: 'mi', registrationId: 'tok1' },
    { ...FIRST, channels: ['news', 'sports'], vendor: 'mi', registrationId: 'tok1', deviceProfile: 'p1' },
    { ...FIRST, channels: ['sports'], vendor: 'mi', registrationId: 'tok1', deviceProfile: 'p1' },
    { ...FIRST, channels: ['sports'], vendor: 'lc', registrationId: 'tok1', deviceProfile: 'p1' },
  ];
  for (const step of steps) {
    const saved = await save('PUT', `/${objectId}`, step);
    expect(saved).toMatchObject({ status: 200, body: { ...step, objectId } });
    expect(saved.text).not.toMatch(/null|"className"|"_version"|"serverData"/);
  }
  const onSocket = await pushToAll();
  await until(() => client.ids.includes(onSocket));
  expect((await fleet.done(app, onSocket)).devices).toBe(1);
});

test('an unchanged save moves updatedAt', async () => {
  const { body } = await save('POST', '', FIRST);
  await until(() => Date.now() > Date.parse(String(body['updatedAt'])) + 2);
  const again = await save('PUT', `/${String(body['objectId'])}`, body);
  expect(Date.parse(String(again.body['updatedAt']))).toBeGreaterThan(Date.parse(String(body['updatedAt'])));
});

test('an objectId of the service before is not an error: the installation is known by its installationId', async () => {
  const known = await save('POST', '', FIRST);
  const saved = await save('PUT', '/5e1f0a2b21b47e0070e8a3c1', { ...FIRST, channels: ['moved'] });
  expect(saved).toMatchObject({ status: 200, body: { objectId: known.body['objectId'], channels: ['moved'] } });
});

test.each(['lc', '', undefined])(
  'a device whose vendor is %j is reached on the socket, whatever its registrationId',
  async (vendor) => {
    const { body } = await save('POST', '', { ...FIRST, vendor: 'mi', registrationId: 'tok1' });
    const change = vendor === undefined ? { __op: 'Delete' } : vendor;
    await save('PUT', `/${String(body['objectId'])}`, { ...FIRST, vendor: change });
    const client = await loggedIn();
    const pushId = await pushToAll();
    await until(() => client.ids.includes(pushId));
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    expect(record.channels['own']).toMatchObject({ accepted: 1 });
  },
);

test('two messages in one command, acknowledged together; one that was not acknowledged comes again with its id', async () => {
  await save('POST', '', { ...FIRST, vendor: 'lc' });
  const first = await loggedIn();
  first.send(javaAck(...first.ids));
  await first.close();
  const pushIds = [await pushToAll(), await pushToAll()];
  for (const pushId of pushIds) await fleet.done(app, pushId);
  const second = await loggedIn();
  await until(() => pushIds.every((id) => second.ids.includes(id)));
  expect(second.pushes.at(-1)?.messages?.map(({ id }) => id)).toEqual(expect.arrayContaining(pushIds));
  await second.close();
  const third = await loggedIn();
  await until(() => pushIds.every((id) => third.ids.includes(id)));
  third.send(javaAck(...third.ids));
  for (const pushId of pushIds)
    await until(async () => (await fleet.record(app, pushId)).channels['own']?.delivered === 1);
  await third.close();
  const fourth = await loggedIn();
  fourth.socket.ping();
  await until(() => fourth.pongs === 1);
  expect(fourth.pushes).toEqual([]);
});

test('a stopping gateway refuses connections, says no goaway and closes with 1001 in the end; the router names it no more', async () => {
  await fleet.run('gateway', { DRAIN_MS: '5000' }, 'leaving');
  const url = fleet.url('leaving', 'gateway');
  const client = await RecordedJavaClient.connect(url);
  clients.push(client);
  client.send(LOGIN);
  await client.hears(LOGGED_IN);
  const stopping = fleet.retire('leaving');
  const attempt = (): Promise<string> =>
    RecordedJavaClient.connect(url).then(
      (another) => another.close().then(() => 'connected'),
      (error: unknown) => String(error),
    );
  await until(async () => (await attempt()).includes('ECONNREFUSED'));
  expect(client.closed).toBeUndefined();
  await stopping;
  await until(() => client.closed === 1001);
  expect(client.frames.filter((hex) => hex.startsWith('0815'))).toEqual([]);
  const answer = await fetch(`${fleet.url('ingress')}/v1/route?appId=${RECORDED.appId}`);
  expect(await answer.text()).not.toContain(url);
});
