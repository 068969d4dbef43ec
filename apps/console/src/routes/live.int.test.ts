import { LIMITS, type AppScope, type Role } from '@pushfleet/domain';
import { until, unique } from '@pushfleet/testing';
import { openPasswords } from '../people/password';
import { openBrowser, type Browser } from '../testing/browser';
import { ADMIN_TOKEN, consoleHarness } from '../testing/console-harness';
import { openLive, type LiveReader } from '../testing/live-reader';

const admin = consoleHarness();
const quick = consoleHarness({ ports: { live: { tickMs: 20, heartbeatMs: 40 } } });

const PASSWORD = 'a sentence that is easy to keep';
const BY_TOKEN = { authorization: `Bearer ${ADMIN_TOKEN}` };

let passwordHash: Promise<string> | undefined;
const open: LiveReader[] = [];

afterEach(async () => {
  for (const reader of open.splice(0)) await reader.leave();
});

async function live(topics: readonly string[], headers: Readonly<Record<string, string>> = BY_TOKEN, of = admin) {
  const query = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&');
  const ask = () => openLive(`${of.url}/api/v1/live?${query}`, headers);
  let reader = await ask();
  // On a busy machine Redis may take longer than a request waits for it.
  for (let again = 0; reader.status === 503 && again < 20; again += 1) reader = await ask();
  open.push(reader);
  return reader;
}

async function signedIn(role: Role = 'viewer', apps: AppScope = 'all'): Promise<Browser & { readonly name: string }> {
  passwordHash ??= openPasswords().hash(PASSWORD);
  const name = unique('p');
  const person = { name, role, apps, passwordHash: await passwordHash, generation: 1, createdAt: 0 };
  await admin.store.people.persons.add(name, person);
  const browser = openBrowser(admin);
  expect((await browser.signIn(name, PASSWORD)).status).toBe(200);
  return Object.assign(browser, { name });
}

const watched = (topics: readonly string[], { cookie }: Browser) => live(topics, { cookie });

async function aPush(app: string): Promise<string> {
  const content = { data: { alert: 'a' }, sections: {} };
  const text = { content, prod: 'prod', app, audience: {}, where: {} } as const;
  const times = { pushTime: Date.now(), expiresAt: Date.now() + 60_000, isScheduled: false };
  const [accepted] = await admin.store.acceptPushes([{ ...text, ...times }]);
  const pushId = accepted?.pushId ?? '';
  await admin.store.pushes.index(app, [{ pushId, createdAt: Date.now() }]);
  return pushId;
}

/** The next digest of a topic; others may change meanwhile. */
async function stateOf(reader: LiveReader, topic: string): Promise<string | undefined> {
  for (;;) {
    const event = await reader.next('beat');
    if (event?.name !== 'state' || event.data[topic] !== undefined) return event?.data[topic];
  }
}

const cancel = (pushId: string) => admin.store.pushes.cancel(pushId, Date.now());

it('tells what a push stands at, and another digest when that changes', async () => {
  const app = unique('app');
  const [push, other] = [await aPush(app), await aPush(unique('app'))];
  const reader = await live([`push/${app}/${push}`, `pushes/${app}`]);
  expect(reader.headers.get('content-type')).toBe('text/event-stream');
  const first = await reader.next();
  expect(Object.keys(first?.data ?? {}).sort()).toEqual([`push/${app}/${push}`, `pushes/${app}`]);
  await cancel(other);
  await cancel(push);
  const second = await stateOf(reader, `push/${app}/${push}`);
  expect(second).not.toBe(first?.data[`push/${app}/${push}`]);
});

it('says the same of the same to whoever asks, so that a browser that comes back knows whether it missed something', async () => {
  const app = unique('app');
  const topic = `push/${app}/${await aPush(app)}`;
  const [one, other] = [await live([topic]), await live([topic])];
  expect((await one.next())?.data).toEqual((await other.next())?.data);
});

it('tells of the fleet: a channel that is paused, and a process that begins', async () => {
  const reader = await live(['channels', 'processes', 'doctor']);
  const known = new Set<string>();
  while (known.size < 3) for (const topic of Object.keys((await reader.next())?.data ?? {})) known.add(topic);
  await admin.call('POST', '/channels/vivo/pause');
  expect(await stateOf(reader, 'channels')).toEqual(expect.any(String));
  await admin.call('POST', '/channels/vivo/resume');
});

it('a sign of life comes where nothing changes', async () => {
  const reader = await live(['processes'], BY_TOKEN, quick);
  expect(await reader.next('state')).toEqual({ name: 'beat', data: {} });
  expect(await reader.next('state')).toEqual({ name: 'beat', data: {} });
});

describe('it ends', () => {
  const over = (why: string) => ({ name: 'over', data: { why } });

  it.each<[how: string, end: (browser: Browser & { readonly name: string }) => Promise<unknown>]>([
    ['signs out', (browser) => browser.call('DELETE', '/session')],
    ['is signed out everywhere', ({ name }) => admin.call('DELETE', `/people/${name}/sessions`)],
    ['is removed', ({ name }) => admin.call('DELETE', `/people/${name}`)],
    ['was idle for so long that the session is gone', () => forgetSessions()],
  ])('when its person %s', async (_, end) => {
    const browser = await signedIn();
    const reader = await watched(['processes'], browser);
    await reader.next();
    await end(browser);
    expect(await reader.next('state', 'beat')).toEqual(over('signed-out'));
    expect(await reader.next()).toBeUndefined();
  });

  it('when the role of its person does not reach so far any more', async () => {
    const browser = await signedIn('viewer');
    const reader = await watched(['processes'], browser);
    await reader.next();
    await admin.call('PATCH', `/people/${browser.name}`, { apps: ['anApp'] });
    expect(await reader.next('state', 'beat')).toEqual(over('rights-changed'));
  });

  it('when its API token is deleted', async () => {
    const { body } = await admin.call('POST', '/api-tokens', { name: 'wall', role: 'viewer' });
    const reader = await live(['processes'], { authorization: `Bearer ${String(body['token'])}` });
    await reader.next();
    await admin.call('DELETE', `/api-tokens/${String(body['id'])}`);
    expect(await reader.next('state', 'beat')).toEqual(over('signed-out'));
  });

  it('when its console stops', async () => {
    const reader = await live(['processes'], BY_TOKEN, quick);
    await reader.next();
    await quick.endStreams();
    expect(await reader.next('state', 'beat')).toEqual(over('stopping'));
    expect(await reader.next()).toBeUndefined();
  });
});

async function forgetSessions(): Promise<void> {
  const keys = await admin.redis.keys(`${admin.namespace}:*session*`);
  expect(keys.length).toBeGreaterThan(0);
  await admin.redis.del(...keys);
}

describe('it is refused', () => {
  it('for apps and for a fleet that are not the caller’s', async () => {
    const browser = await signedIn('owner', ['mine']);
    for (const topic of ['channels', 'processes', 'doctor', 'pushes/other', 'push/other/p1'])
      expect([topic, (await watched([topic], browser)).status]).toEqual([topic, 403]);
    expect((await watched(['pushes/mine', 'pushes/other'], browser)).status).toBe(403);
    expect((await watched(['pushes/mine'], browser)).status).toBe(200);
  });

  it('for whoever has not signed in', async () => {
    expect((await live(['processes'], {})).status).toBe(401);
  });

  it.each([[''], ['topic='], ['topic=weather'], ['topic=push/a'], ['topic=channels/a'], ['topic=__proto__'], ['at=1']])(
    'for the query "%s"',
    async (query) => expect((await admin.call('GET', `/live?${query}`)).status).toBe(400),
  );

  it('for more topics than one stream tells of', async () => {
    const topics = Array.from({ length: LIMITS.liveTopics.value + 1 }, (_, i) => `pushes/app${i}`);
    expect((await live(topics)).status).toBe(400);
  });

  it('beyond as many as one person may have, until one of them is closed', async () => {
    const browser = await signedIn();
    for (let i = 0; i < LIMITS.liveStreamsPerPerson.value; i += 1)
      expect((await watched(['processes'], browser)).status).toBe(200);
    const refused = await browser.call('GET', '/live?topic=processes');
    expect(refused).toMatchObject({
      status: 429,
      body: { error: expect.stringMatching(/10 live streams open, of 10/) },
    });
    expect((await watched(['processes'], await signedIn())).status).toBe(200);
    await open[0]?.leave();
    await until(async () => {
      const reader = await watched(['processes'], browser);
      return reader.status === 200;
    });
  });
});
