import { channelOfVendor, channels } from '@pushfleet/channels';
import {
  adviceFor,
  DISCARD_POLICY,
  FAILURE_POLICY,
  fatesOf,
  isFailureReason,
  traitsOf,
  type DiscardReason,
  type JsonObject,
  type Reason,
} from '@pushfleet/domain';
import { Books } from '@pushfleet/store';
import { FATE_CASES, FATE_PROFILES, unique, type FateCase } from '@pushfleet/testing';
import { reachOf } from './reach';
import { consoleHarness } from './testing/console-harness';

const admin = consoleHarness();
const { call } = admin;

const PROFILES = { hms: { appId: 'a', appSecret: 's' }, mz: { appId: 'a', appSecret: 's' } };
const REASONS = [...Object.keys(DISCARD_POLICY), ...Object.keys(FAILURE_POLICY)] as readonly Reason[];
const now = Date.now();

async function anApp(hybrid = true): Promise<string> {
  const { body } = await call('POST', '/apps', { name: 'Test', edition: 'commercial', hybrid });
  const app = String(body['id']);
  for (const channel of FATE_PROFILES)
    await call('PUT', `/apps/${app}/profiles/${channel}/_default`, PROFILES[channel]);
  return app;
}

async function register(app: string, fields: JsonObject): Promise<string> {
  const body = { deviceType: 'android', installationId: unique('i'), ...fields };
  const saved = await admin.store.installations.save({ app, body, now: now - 1000 });
  return saved?.installation.objectId ?? '';
}

interface AcceptedPush {
  readonly app: string;
  readonly content?: FateCase['content'];
  readonly registrationIds?: readonly string[];
}

async function accept({ app, content, registrationIds }: AcceptedPush): Promise<string> {
  const push = {
    ...{ app, content: content ?? { data: { alert: 'Hi' }, sections: {} }, where: {}, prod: 'prod' as const },
    ...{ pushTime: now, expiresAt: now + 60_000, isScheduled: false, createdAt: now },
    audience: registrationIds ? { devices: { bucket: 'hms/_default', registrationIds } } : {},
    ...(registrationIds ? { isToDevices: true as const } : {}),
  };
  const [accepted] = await admin.store.acceptPushes([push]);
  return accepted?.pushId ?? '';
}

async function dispatched(pushId: string, books: readonly Books[]): Promise<string> {
  await admin.store.ledger.plan({ pushId, lanes: [], pages: [], books, now });
  return pushId;
}

async function storyOf(app: string, id: string): Promise<JsonObject> {
  return (await call('GET', `/apps/${app}/installations/${id}/story`)).body as JsonObject;
}

async function lookUp(app: string, pushId: string, id: string): Promise<JsonObject> {
  const { body } = await call('GET', `/apps/${app}/pushes/${pushId}?installationId=${id}`);
  return body as JsonObject;
}

/** A device that nothing is wrong with today. */
const HEALTHY = { vendor: 'HMS', registrationId: 'healthy' };

describe.each(REASONS)('a device that was refused as %s', (reason) => {
  const outcome = isFailureReason(reason) ? 'failed' : 'discarded';

  it.each([
    ['by a rule', {}],
    ['by its vendor', { vendorCode: '7', vendorMessage: 'no' }],
  ])('%s is told so by the record and by its own look-up, whatever the rules say today', async (_name, words) => {
    const app = await anApp();
    const objectId = await register(app, HEALTHY);
    const books = new Books('oppo');
    books.add('matched', 1);
    if ('vendorCode' in words) books.refuseDevice(outcome, reason, { objectId, ...words });
    else books.refuse(outcome, reason, { count: 1, samples: [objectId] });
    const pushId = await dispatched(await accept({ app }), [books]);
    const body = await lookUp(app, pushId, objectId);
    expect(body['errors']).toMatchObject([{ channel: 'oppo', reason, samples: [objectId], ...words }]);
    const told = { outcome, channel: 'oppo', reason, action: adviceFor(reason), ...words };
    expect(body['installation']).toMatchObject({ objectId, ...told });
    await admin.store.pushes.index(app, [{ pushId, createdAt: now }]);
    expect((await storyOf(app, objectId))['pushes']).toMatchObject([{ objectId: pushId, ...told }]);
  });
});

describe.each(FATE_CASES)('of $name', ({ device, isRetired, hybrid, content, channel, reason }) => {
  it('a look-up tells what will become of it while the push waits', async () => {
    const app = await anApp(hybrid);
    const objectId = await register(app, device);
    if (isRetired === true) await admin.store.installations.retire(app, { objectId, registrationId: 'r' });
    const { installation } = await lookUp(app, await accept({ app, content }), objectId);
    expect(installation).toMatchObject({ objectId, outcome: 'not-dispatched', channel });
    expect((installation as JsonObject)['reason']).toBe(reason);
    // A story knows no message: it tells of what shows something, and of what is silent everywhere.
    const { silent, ...shown } = (await storyOf(app, objectId))['now'] as JsonObject;
    const stands = (content.data['silent'] === true && silent) || shown;
    const isTold = Object.keys(content.sections).length === 0;
    expect(isTold ? stands : shown).toMatchObject({ channel, isReachable: reason === undefined });
    if (isTold) expect((stands as JsonObject)['reason']).toBe(reason);
  });
});

/** Who decides that a device is refused: a rule, before anybody calls a vendor, or what happens to the push later. */
const DECIDED: Readonly<Record<DiscardReason, 'by a rule' | 'later' | 'by an operator'>> = {
  'silent-unsupported': 'by a rule',
  'profile-missing': 'by a rule',
  'vendor-unknown': 'by a rule',
  'platform-unsupported': 'by a rule',
  'registration-missing': 'by a rule',
  'registration-gone': 'by a rule',
  'channel-unavailable': 'by an operator',
  'payload-too-large': 'later',
  'package-name-too-long': 'later',
  'notifications-off': 'later',
  'frequency-capped': 'later',
  'quota-exceeded': 'later',
  expired: 'later',
  cancelled: 'later',
  'credentials-rejected': 'later',
  'message-rejected': 'later',
};

it('every reason that a rule decides has its case', () => {
  const decided = Object.entries(DECIDED).flatMap(([reason, by]) => (by === 'by a rule' ? [reason] : []));
  const told = FATE_CASES.flatMap(({ reason }) => reason ?? []);
  expect([...new Set(told)].sort()).toEqual(decided.sort());
});

/** Of pushes that show something, to everybody. */
const isShown = ({ content }: FateCase): boolean =>
  content.data['silent'] !== true && Object.keys(content.sections).length === 0;

describe.each(FATE_CASES.filter(isShown))('of $name', ({ device, isRetired, hybrid, channel, reason }) => {
  it('the reach of an app counts the same', async () => {
    const app = await anApp(hybrid);
    const objectId = await register(app, device);
    if (isRetired === true) await admin.store.installations.retire(app, { objectId, registrationId: 'r' });
    const { body } = await call('GET', `/apps/${app}/reach`);
    const kind = { channel, ...(reason === undefined ? {} : { reason }), count: 1 };
    expect(body).toMatchObject({ reachable: reason === undefined ? 1 : 0, results: [kind] });
  });
});

/** What no document says of itself. */
const isTold = ({ isRetired }: FateCase): boolean => isRetired !== true;

describe.each(FATE_CASES.filter(isTold))('of $name', ({ device, hybrid = true, content, reason }) => {
  it('the reach of a push says the same', () => {
    const profiles = new Set(FATE_PROFILES.map((channel) => `${channel}/_default`));
    const fateOf = fatesOf({ hybrid, profiles, channels: traitsOf(Object.values(channels)) }, content);
    const [reach, ...others] = reachOf([device], { fateOf, vendors: channelOfVendor, staleBefore: 0 });
    expect([reach?.count, reach?.reason, others]).toEqual([1, reason, []]);
  });
});

describe('a device that the record does not name', () => {
  const taken = (count: number): Books => {
    const books = new Books('hms');
    books.add('matched', count);
    books.accept(count);
    return books;
  };

  it('was accepted like all others, although a later push retired it', async () => {
    const app = await anApp();
    const objectId = await register(app, HEALTHY);
    const pushId = await dispatched(await accept({ app }), [taken(5000)]);
    await admin.store.installations.retire(app, { objectId, registrationId: 'healthy' });
    const { installation } = await lookUp(app, pushId, objectId);
    expect(installation).toMatchObject({ objectId, outcome: 'accepted', channel: 'hms' });
  });

  it('is told of with care when a rule refused more devices than are named', async () => {
    const app = await anApp();
    const objectId = await register(app, { vendor: 'oppo', registrationId: 'r' });
    const refused = new Books('oppo');
    refused.add('matched', 30);
    refused.refuse('discarded', 'silent-unsupported', {
      count: 30,
      samples: Array.from({ length: 30 }, (_, i) => `d${i}`),
    });
    const pushId = await dispatched(await accept({ app }), [taken(3), refused]);
    expect((await lookUp(app, pushId, objectId))['installation']).toMatchObject({
      ...{ outcome: 'not-kept', message: expect.stringContaining('30 silent-unsupported on oppo') },
    });
  });

  it('is told by what was kept of every device', async () => {
    const app = await anApp();
    const ids = [await register(app, { vendor: 'oppo', registrationId: 'r' }), await register(app, HEALTHY)];
    const others = Array.from({ length: 30 }, (_, i) => `d${i}`);
    const refused = new Books('oppo');
    refused.add('matched', 31);
    refused.refuse('discarded', 'silent-unsupported', { count: 31, samples: [...others, ids[0] ?? ''] });
    const accepted = new Books('hms');
    accepted.add('matched', 1);
    accepted.acceptDevices(ids.slice(1));
    const pushId = await dispatched(await accept({ app }), [refused, accepted]);
    await admin.store.pushes.index(app, [{ pushId, createdAt: Date.now() }]);
    const expected = [
      { outcome: 'discarded', reason: 'silent-unsupported', channel: 'oppo', action: 'never' },
      { outcome: 'accepted', channel: 'hms' },
    ];
    for (const [i, objectId] of ids.entries()) {
      expect((await lookUp(app, pushId, objectId))['installation']).toMatchObject({ objectId, ...expected[i] });
      const { body } = await admin.call('GET', `/apps/${app}/installations/${objectId}/story`);
      expect(body).toMatchObject({ pushes: [{ objectId: pushId, ...expected[i] }] });
    }
  });

  it('is found by its address in a push that lists addresses', async () => {
    const app = await anApp();
    const objectId = await register(app, HEALTHY);
    const books = new Books('hms');
    books.add('matched', 1);
    books.refuse('discarded', 'expired', { count: 1, samples: ['healthy'] });
    const pushId = await dispatched(await accept({ app, registrationIds: ['healthy'] }), [books]);
    const { installation } = await lookUp(app, pushId, objectId);
    expect(installation).toMatchObject({ objectId, outcome: 'discarded', reason: 'expired' });
  });
});
