import { channelNames } from '@pushfleet/channels';
import { bulkQueue, openProducer } from '@pushfleet/queues';
import { unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const EMPTY = { waiting: 0, active: 0, delayed: 0, prioritized: 0 };

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const channelsNow = async (): Promise<readonly Record<string, unknown>[]> =>
  (await admin.call('GET', '/channels')).body['results'] as Record<string, unknown>[];
const channelNow = async (name: string) => (await channelsNow()).find(({ channel }) => channel === name);

async function anAppWithProfile(): Promise<string> {
  const { body } = await admin.call('POST', '/apps', { name: 'Test', edition: 'commercial' });
  const id = String(body['id']);
  const mi = { appId: 'app', appSecret: 'secret', packageName: 'com.example.app' };
  await admin.call('PUT', `/apps/${id}/profiles/mi/_default`, mi);
  return id;
}

describe('GET /channels', () => {
  describe('200', () => {
    it('counts the jobs of each queue of each channel', async () => {
      const { redis, namespace } = admin;
      const location = { redis, namespace, queue: bulkQueue('mi'), onError: () => undefined };
      const producer = openProducer<object>(location);
      await producer.add([
        { id: 'now', data: {} },
        { id: 'later', data: {}, delayMs: 60_000 },
      ]);
      await producer.close();
      const channels = await channelsNow();
      expect(channels.map(({ channel }) => channel)).toEqual([...channelNames, 'own']);
      expect(channels).toContainEqual({
        channel: 'mi',
        ...{ consumers: 0, controls: [], breakers: [], heldPushes: [], vendorWaits: [] },
        callLimits: [],
        budget: { requestsPerSecond: 500 },
        direct: EMPTY,
        bulk: { ...EMPTY, waiting: 1, delayed: 1 },
      });
    });

    it('adds up the calls that the workers allow a profile', async () => {
      const { callLimits } = admin.store.pacing;
      const of = { app: 'a', profile: 'p', queue: 'bulk' } as const;
      const at = Date.now();
      await callLimits.tell('oppo', 'w1', { at, calls: [{ ...of, allowed: 64, latencyMs: 200 }] });
      await callLimits.tell('oppo', 'w2', { at, calls: [{ ...of, allowed: 20, latencyMs: 180 }] });
      await callLimits.tell('oppo', 'w3', { at, calls: [{ ...of, queue: 'direct', allowed: 16 }] });
      await callLimits.tell('oppo', 'gone', { at: at - 60_000, calls: [{ ...of, allowed: 128 }] });
      const told = (await channelNow('oppo'))?.['callLimits'];
      expect(told).toHaveLength(2);
      expect(told).toContainEqual({ ...of, workers: 2, allowed: 84, latencyMs: 200 });
      expect(told).toContainEqual({ ...of, queue: 'direct', workers: 1, allowed: 16, latencyMs: null });
      for (const worker of ['w1', 'w2', 'w3', 'gone']) await callLimits.tell('oppo', worker, { at, calls: [] });
    });

    it('tells the workers, and the breakers that are not closed', async () => {
      const { breakers, workers } = admin.store.pacing;
      await workers.beat('vivo', unique('worker'));
      const open = { state: 'open', since: 1e12, probeAt: 1e12 + 5000, openings: 1, reason: 'unreachable' } as const;
      await breakers.replace('vivo', { app: 'a', profile: 'p' }, { from: undefined, to: open });
      const faults = { state: 'closed', faults: 1, firstFaultAt: 1e12 } as const;
      await breakers.replace('vivo', { app: 'b', profile: 'p' }, { from: undefined, to: faults });
      expect(await channelNow('vivo')).toMatchObject({
        consumers: 1,
        breakers: [
          {
            ...{ app: 'a', profile: 'p', state: 'open', reason: 'unreachable' },
            ...{ since: '2001-09-09T01:46:40.000Z', nextProbeAt: '2001-09-09T01:46:45.000Z' },
          },
        ],
      });
    });
  });
});

describe('GET /throughput', () => {
  it('200: tells of every channel how many devices it decided about, and when that was counted', async () => {
    const { status, body } = await admin.call('GET', '/throughput');
    const results = [...channelNames, 'own'].sort().map((channel) => ({ channel, decided: 0 }));
    expect([status, body]).toEqual([200, { at: ISO, results }]);
  });
});

describe('GET /stats', () => {
  it('200: tells of every channel what it did and what it has left, in one answer', async () => {
    const { status, body } = await admin.call('GET', '/stats');
    const idle = { decided: 0, pushes: 0, devices: 0, waiting: [] };
    const results = [...channelNames, 'own'].sort().map((channel) => ({ channel, ...idle }));
    expect([status, body]).toEqual([200, { at: ISO, complete: true, results }]);
  });
});

describe('POST /channels/:channel/discard', () => {
  it('says what would go, and takes it away only when that is confirmed', async () => {
    const waiting = { pushes: 0, devices: 0, complete: true };
    expect(await admin.call('GET', '/channels/vivo/discard')).toMatchObject({ status: 200, body: waiting });
    const unconfirmed = await admin.call('POST', '/channels/vivo/discard', {});
    expect(unconfirmed).toMatchObject({ status: 409, body: { code: 409 } });
    expect(unconfirmed.body['error']).toBe(
      '0 devices wait (pushes: 0), and confirm says how many may be discarded; nothing was discarded',
    );
    expect((await channelNow('vivo'))?.['controls']).toEqual([]);
    const discarding = await admin.call('POST', '/channels/vivo/discard', { confirm: 0 });
    expect(discarding).toMatchObject({ status: 200, body: { controls: [{ state: 'discarding', since: ISO }] } });
    await admin.call('POST', '/channels/vivo/resume');
  });

  it('counts what is not planned yet as a push, and of one app only its own', async () => {
    const app = await anAppWithProfile();
    const times = { pushTime: Date.now(), expiresAt: Date.now() + 60_000, isScheduled: false };
    const content = { data: { alert: 'x' }, sections: {} };
    await admin.store.acceptPushes([{ app, content, audience: {}, where: {}, prod: 'prod', ...times }]);
    const path = `/channels/mi/discard?app=${app}`;
    expect((await admin.call('GET', path)).body).toEqual({ pushes: 1, devices: 0, complete: true });
    const other = await anAppWithProfile();
    expect((await admin.call('GET', `/channels/mi/discard?app=${other}`)).body).toMatchObject({ pushes: 0 });
  });

  it.each([
    [{ confirm: -1 }, 'confirm'],
    [{ confirm: 1.5 }, 'confirm'],
    [{ profile: 'p', confirm: 1 }, 'app'],
    [{ confirm: 1, all: true }, 'all'],
  ])('400: %j names %s', async (body, path) => {
    const refused = await admin.call('POST', '/channels/vivo/discard', body);
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

describe('POST /channels/:channel/(pause|drain|resume)', () => {
  describe('200', () => {
    it('pauses a whole channel until it is resumed', async () => {
      const paused = await admin.call('POST', '/channels/oppo/pause');
      expect(paused).toMatchObject({ status: 200, body: { channel: 'oppo', direct: EMPTY } });
      expect(paused.body['controls']).toEqual([{ state: 'paused', since: ISO }]);
      expect(await channelNow('oppo')).toEqual(paused.body);
      const resumed = await admin.call('POST', '/channels/oppo/resume', {});
      expect(resumed).toMatchObject({ status: 200, body: { controls: [] } });
    });

    it('decides about an app and about one of its profiles, each by itself', async () => {
      const app = await anAppWithProfile();
      await admin.call('POST', '/channels/mi/pause', { app });
      const drained = await admin.call('POST', '/channels/mi/drain', { app, profile: '_default' });
      expect(drained.body['controls']).toEqual([
        { state: 'paused', app, since: ISO },
        { state: 'draining', app, profile: '_default', since: ISO },
      ]);
      const resumed = await admin.call('POST', '/channels/mi/resume', { app });
      expect(resumed.body['controls']).toEqual([{ state: 'draining', app, profile: '_default', since: ISO }]);
      await admin.call('POST', '/channels/mi/resume', { app, profile: '_default' });
    });

    it('the later decision about a scope holds', async () => {
      await admin.call('POST', '/channels/own/pause');
      const { body } = await admin.call('POST', '/channels/own/drain');
      expect(body['controls']).toEqual([{ state: 'draining', since: ISO }]);
      await admin.call('POST', '/channels/own/resume');
    });

    it('resumes what was never paused', async () => {
      const answer = await admin.call('POST', '/channels/honor/resume');
      expect(answer).toMatchObject({ status: 200, body: { controls: [] } });
    });

    it('lets the pushes of an app go on that wait for an answer that somebody knows', async () => {
      const { pushHolds, vendorWaits } = admin.store.pacing;
      const of = { app: await anAppWithProfile(), profile: '_default' };
      const [since, until] = [Date.now(), Date.now() + 60_000];
      const hold = { since, until, probeAt: since, probes: 3, vendorCode: '99999' };
      const over = { ...hold, until: since };
      await pushHolds.replace('mi', { ...of, pushId: 'held' }, { from: undefined, to: hold });
      await pushHolds.replace('mi', { ...of, pushId: 'over' }, { from: undefined, to: over });
      await vendorWaits.note('mi', of, { until, reason: 'throttled' });
      expect(await channelNow('mi')).toMatchObject({
        heldPushes: [{ ...of, pushId: 'held', reason: 'unrecognised-answer', vendorCode: '99999', until: ISO }],
        vendorWaits: [{ ...of, reason: 'throttled', until: ISO }],
      });
      const checks = (await admin.call('GET', '/doctor')).body['checks'];
      expect(checks).toContainEqual(
        expect.objectContaining({ check: 'pushes-held', subject: 'mi', status: 'warning' }),
      );
      const resumed = await admin.call('POST', '/channels/mi/resume', { app: of.app });
      expect(resumed).toMatchObject({ status: 200, body: { heldPushes: [] } });
      await vendorWaits.clear('mi', of);
    });

    it('takes back what was decided about an app that was deleted since', async () => {
      const app = await anAppWithProfile();
      await admin.call('POST', '/channels/mi/pause', { app });
      await admin.call('DELETE', `/apps/${app}`);
      const answer = await admin.call('POST', '/channels/mi/resume', { app });
      expect(answer).toMatchObject({ status: 200, body: { controls: [] } });
    });
  });

  describe('400', () => {
    it('is the answer to a profile of no app', async () => {
      const { status, body } = await admin.call('POST', '/channels/mi/pause', { profile: '_default' });
      expect({ status, details: body['details'] }).toEqual({
        status: 400,
        details: [{ path: 'app', message: 'is required beside profile' }],
      });
    });

    it('is the answer to a field that nobody knows', async () => {
      expect(await admin.call('POST', '/channels/mi/pause', { profiles: [] })).toMatchObject({ status: 400 });
    });
  });

  describe('404', () => {
    it.each(['pause', 'drain', 'resume'])('is the answer to %s for what does not exist', async (verb) => {
      const app = await anAppWithProfile();
      const answers = await Promise.all([
        admin.call('POST', `/channels/fcm/${verb}`),
        admin.call('POST', `/channels/mi/${verb}`, { app: 'no-such-app' }),
        admin.call('POST', `/channels/mi/${verb}`, { app, profile: 'other' }),
        admin.call('POST', `/channels/hms/${verb}`, { app, profile: '_default' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(answers[0]?.body['error']).toContain('known are: hms');
    });
  });
});
