import { channelNames, channels } from '@pushfleet/channels';
import { until } from '@pushfleet/testing';
import { Fleet, type DemoApp } from './fleet';

const DEVICES = 3;

interface SentReceipts {
  readonly sent: number;
  readonly answers: readonly number[];
}

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp([...channelNames]));
  for (const name of channelNames) {
    for (let i = 0; i < DEVICES; i += 1) {
      const installationId = `${name}-${i}`;
      const registration = { vendor: channels[name].vendor, registrationId: `registration-${installationId}` };
      await fleet.call(app, ['POST', '/installations'], { deviceType: 'android', installationId, ...registration });
    }
  }
});

afterAll(() => fleet.stop());

interface ShownProfile {
  readonly receiptUrl: string;
  readonly receiptSeenAt?: string;
}

const profileOf = (channel: string): Promise<ShownProfile> =>
  fleet.admin('GET', `/apps/${app.id}/profiles/${channel}/_default`);
const receiptUrlOf = async (channel: string): Promise<string> => (await profileOf(channel)).receiptUrl;

/** The vendor reports about what it holds; those that carry no address with the message have it from their console. */
const report = async (channel: string, kind: string): Promise<SentReceipts> =>
  fleet.simulator('POST', '/receipts', { channel, kind, url: await receiptUrlOf(channel) });

async function pushToAll(): Promise<string> {
  const { objectId } = await fleet.push(app, { data: { alert: 'Hello' } });
  await fleet.done(app, objectId);
  return objectId;
}

describe.each(channelNames)('receipts of %s', (channel) => {
  const column = async (pushId: string) => (await fleet.record(app, pushId)).channels[channel];

  test('make the record grow, and the same ones count once', async () => {
    await fleet.simulator('DELETE', '');
    const pushId = await pushToAll();
    expect(await column(pushId)).toMatchObject({ accepted: DEVICES, delivered: 0 });
    expect((await profileOf(channel)).receiptSeenAt).toBeUndefined();
    const { sent, answers } = await report(channel, 'delivered');
    expect([sent > 0, new Set(answers)]).toEqual([true, new Set([200])]);
    await until(async () => (await column(pushId))?.delivered === DEVICES);
    await until(async () => (await profileOf(channel)).receiptSeenAt !== undefined);
    await report(channel, 'delivered');
    // Later ones are counted after those before them.
    const next = await pushToAll();
    await report(channel, 'delivered');
    await until(async () => (await column(next))?.delivered === DEVICES);
    expect(await column(pushId)).toMatchObject({ matched: DEVICES, accepted: DEVICES, delivered: DEVICES });
  });

  test('with a wrong key are refused with 404', async () => {
    const url = await receiptUrlOf(channel);
    const wrong = url.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    const answer = await fetch(wrong, { method: 'POST', body: '{}' });
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 404 })]);
  });

  test('with a status that nobody knows change nothing', async () => {
    const pushId = await pushToAll();
    const before = await column(pushId);
    const { answers } = await report(channel, 'unknown');
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await column(pushId)).toEqual(before);
  });
});

/** Vendors that report dead registrations; the others answer a push with them. */
test.each(['hms', 'mi', 'oppo'] as const)(
  'a registration that %s reports as gone leaves the audience',
  async (channel) => {
    await fleet.simulator('DELETE', '');
    await pushToAll();
    await report(channel, 'registration-gone');
    await until(
      async () => {
        const { channels: columns } = await fleet.record(app, await pushToAll());
        return columns[channel]?.discarded['registration-gone'] === DEVICES && columns[channel].accepted === 0;
      },
      { everyMs: 200 },
    );
  },
);
