import { until } from '@pushfleet/testing';
import { createOldApp } from './devices';
import { Fleet, type DemoApp } from './fleet';
import { RECORDED, RecordedJavaClient } from './testing/recorded-java-client';
import { type RecordedAnswer } from './testing/recorded-request';
import { RecordedSdk, recordings, type Recording } from './testing/recorded-sdk';

const SNOWFLAKE = '1234567890123456789';

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  fleet = await Fleet.start(['own']);
  await fleet.run('gateway');
  const masterKey = 'master-key-of-the-recordings';
  app = await createOldApp(fleet, {
    id: RECORDED.appId,
    key: RECORDED.appKey,
    masterKey,
    hybrid: false,
  });
});

afterAll(() => fleet.stop());

/** What Redis holds of the device, as text: a reader of JSON would lose digits. */
async function stored({ installationId }: Recording): Promise<string> {
  const where = encodeURIComponent(JSON.stringify({ installationId }));
  const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master` };
  return (
    await fetch(`${fleet.url('ingress')}/1.1/installations?where=${where}`, {
      headers,
    })
  ).text();
}

const idOf = ({ body }: RecordedAnswer): string => String(body['objectId']);

/** How many devices the push of a step reached. */
async function reached(sdk: RecordedSdk, step: string): Promise<number> {
  const answer = await sdk.take(step);
  expect([step, answer.status]).toEqual([step, 200]);
  return (await fleet.done(app, idOf(answer))).devices;
}

/** 8.2.28 and its elders save under the objectId of the answer; 6.0.5 posts every time and is told 201. */
const isSaved = (status: number): boolean => status === 200 || status === 201;

describe.each(recordings.map((recording) => [recording.sdk, recording] as const))(
  'Java SDK %s',
  (version, recording) => {
    const open = (): RecordedSdk => new RecordedSdk(fleet.url('ingress'), recording);

    /** Steps from the first save until the device hears over its own connection. */
    const SAVES = [
      ...['subscribe', 'subscribe to another channel', 'register with a vendor', 'name a profile'],
      ...['a snowflake and a counter', 'increment', 'remove', 'unsubscribe', 'unregister'],
    ];

    async function registered(): Promise<RecordedSdk> {
      const sdk = open();
      const both = await Promise.all([sdk.take('first save'), sdk.take('first save, at the same time')]);
      expect(new Set(both.map(idOf)).size).toBe(1);
      for (const step of SAVES) expect([step, isSaved((await sdk.take(step)).status)]).toEqual([step, true]);
      return sdk;
    }

    test('a fetch before the first save is no installation, and loses it none', async () => {
      const sdk = open();
      const answer = await sdk.take('fetch before the first save');
      expect(answer).toMatchObject({ status: 404, body: { code: 101 } });
      expect(answer.body).not.toHaveProperty('results');
      expect(isSaved((await sdk.take('first save')).status)).toBe(true);
    });

    test('two first saves at once and whole documents after them make one device, with every digit', async () => {
      const sdk = await registered();
      const text = await stored(recording);
      for (const part of [`"roleId":${SNOWFLAKE}`, '"channels":["sports"]', '"vendor":"lc"', '"deviceProfile":"p1"'])
        expect(text).toContain(part);
      // A column that the app removed stays: the client has it again with the next answer.
      expect(text).toContain('"n":2');
      const again = await sdk.take('fetch');
      // 6.0.5 forgets its objectId at every save.
      expect(again.status).toBe(version === '6.0.5' ? 404 : 200);
      expect((await sdk.take('date')).body).toMatchObject({ __type: 'Date' });
    });

    test('a save under a condition is made only where the condition holds', async () => {
      const sdk = await registered();
      const refused = await sdk.take('save under a condition that does not hold');
      expect(refused).toMatchObject({ status: 400, body: { code: 305 } });
      expect(await stored(recording)).not.toContain('"x":1');
      expect(isSaved((await sdk.take('save under one that holds')).status)).toBe(true);
      expect(await stored(recording)).toContain('"x":2');
    });

    test('an odd registrationId is no error, and does not replace the one it had', async () => {
      const sdk = await registered();
      expect(isSaved((await sdk.take('an odd registrationId')).status)).toBe(true);
      expect(await stored(recording)).toContain('"registrationId":"tok1"');
    });

    test('pushes reach who they name, by id, snowflake, channel and cql', async () => {
      const sdk = await registered();
      expect(await reached(sdk, 'push')).toBe(1);
      expect(await reached(sdk, 'push by its neighbour')).toBe(0);
      for (const step of ['push by a snowflake', 'push to a channel, with an interval', 'push by cql'])
        expect(await reached(sdk, step)).toBeGreaterThan(0);
      const later = await sdk.take('push at a time');
      expect(later.status).toBe(200);
      expect(await fleet.record(app, idOf(later))).toMatchObject({
        status: 'scheduled',
      });
    });

    test('a date of expiry is read as this version writes it', async () => {
      const sdk = await registered();
      const past = await sdk.take('push after its date of expiry');
      expect(past).toMatchObject({ status: 400, body: { code: 111 } });
      if (version === '7.2.3') {
        // It prints a local date without a zone, which nobody can read.
        expect(await sdk.take('push with a date of expiry')).toMatchObject({
          status: 400,
          body: { code: 111 },
        });
        return;
      }
      expect(past.body['error']).toContain('1970-01-01T00:00:01.000Z');
      expect(await reached(sdk, 'push with a date of expiry')).toBeGreaterThan(0);
    });

    test('batches and finds: many saves, itself with the app key, everybody with the master key alone', async () => {
      const sdk = await registered();
      const many = (await sdk.take('save many')).body as unknown as readonly {
        success: { objectId: string };
      }[];
      expect(new Set(many.map(({ success }) => success.objectId)).size).toBe(2);
      expect((await sdk.take('find itself')).body['results']).toHaveLength(1);
      expect(await sdk.take('find everything')).toMatchObject({
        status: 403,
        body: { code: 119 },
      });
      const refused = version === '6.0.5' ? { status: 405, body: { code: 405 } } : { status: 403, body: { code: 119 } };
      expect(await sdk.take('delete')).toMatchObject(refused);
    });

    const { socket } = recording;
    if (!socket) return;

    test('one connection carries pushes, refuses chats by their peer and survives a live query', async () => {
      const sdk = await registered();
      const { server } = (await sdk.take('route')).body;
      const client = await RecordedJavaClient.connect(String(server));
      try {
        client.send(socket.login);
        await client.hears('080f4000');
        const pushed = idOf(await sdk.take('push'));
        await until(() => client.ids.includes(pushed));
        const [message] = client.pushes.flatMap(({ messages = [] }) => messages).filter(({ id }) => id === pushed);
        expect(message?.text).toContain(`"order":${SNOWFLAKE}`);
        for (const { open: chat } of socket.chats) client.send(chat);
        for (const { refused } of socket.chats) await client.hears(refused);
        client.send(socket.liveQuery.login);
        await client.hears(socket.liveQuery.loggedIn);
        expect(await sdk.take('subscribe to a live query')).toMatchObject({
          status: 404,
          body: { code: 404 },
        });
        const after = idOf(await sdk.take('push after the live query'));
        await until(() => client.ids.includes(after));
        expect(client.closed).toBeUndefined();
      } finally {
        await client.close();
      }
    });
  },
);
