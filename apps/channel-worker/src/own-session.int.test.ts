import type { PushBatch } from '@pushfleet/channel-kit';
import { channelOfVendor } from '@pushfleet/channels';
import { openRedis, openStore, type Hint, type Store } from '@pushfleet/store';
import { anApp, anInstallation, redisHarness, SECRET_KEY, unique, until } from '@pushfleet/testing';
import { openOwnSessions } from './own-session';

const harness = redisHarness();
const app = anApp().id;
const lost: unknown[] = [];
let store: Store;

beforeAll(async () => {
  const redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => redis.disconnect());
  store = openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
});

const register = async (fields: object = {}): Promise<{ objectId: string; installationId: string }> => {
  const body = anInstallation({ vendor: 'lc', registrationId: undefined, ...fields });
  const saved = await store.installations.save({ app, body, now: Date.now() });
  return { objectId: saved?.installation.objectId ?? '', installationId: String(body['installationId']) };
};

const accept = async (expiresInMs = 60_000): Promise<string> => {
  const now = Date.now();
  const content = { data: { alert: 'hi' }, sections: {} };
  const times = { pushTime: now, expiresAt: now + expiresInMs, isScheduled: false };
  const [accepted] = await store.acceptPushes([{ app, content, audience: {}, where: {}, prod: 'prod', ...times }]);
  return accepted?.pushId ?? '';
};

const send = async (pushId: string, objectIds: readonly string[], mailboxLifeMs = 3_600_000) => {
  const limits = { mailboxMessages: 50, mailboxLifeMs };
  const sessions = openOwnSessions({ store, now: Date.now, ...limits, onHintLost: (error) => lost.push(error) });
  const opened = await sessions.get({ app, profile: '' });
  const batch = { pushId, registrationIds: objectIds } as unknown as PushBatch;
  return opened?.session.send(batch, new AbortController().signal);
};

const mailboxOf = async (installationId: string): Promise<readonly string[]> =>
  (await store.presence.attach(app, installationId, { node: 'n', connection: 'c' })).references.map(
    (reference) => reference.split(' ')[0] ?? '',
  );

it('accepted means in the mailbox, and every device has an outcome in the order asked', async () => {
  const [one, two, nameless] = [await register(), await register(), await register({ installationId: undefined })];
  const pushId = await accept();
  const outcomes = await send(pushId, [one.objectId, 'removed', nameless.objectId, two.objectId]);
  expect(outcomes).toEqual([
    { kind: 'accepted', vendorMessageId: pushId },
    { kind: 'discarded', reason: 'registration-gone' },
    { kind: 'discarded', reason: 'registration-missing' },
    { kind: 'accepted', vendorMessageId: pushId },
  ]);
  for (const { installationId } of [one, two]) expect(await mailboxOf(installationId)).toEqual([pushId]);
  expect(JSON.parse((await store.mailboxes.message(pushId)) ?? '')).toMatchObject({ alert: 'hi' });
});

it('a page sent twice is in the mailbox once', async () => {
  const device = await register();
  const pushId = await accept();
  await send(pushId, [device.objectId]);
  await send(pushId, [device.objectId]);
  expect(await mailboxOf(device.installationId)).toEqual([pushId]);
});

it('every gateway that holds devices of the page is told once, whatever became of others', async () => {
  const heard = new Map<string, Hint[]>();
  const nodes = [unique('node'), unique('node'), unique('idle')];
  for (const node of nodes) {
    heard.set(node, []);
    await store.gateways.beat({ id: node, urls: [], isDraining: node === nodes[1] });
    const stop = await store.gateways.listen(node, {
      onHint: (hint) => heard.get(node)?.push(hint),
      onBeat: () => undefined,
      onGap: () => undefined,
      onError: () => undefined,
    });
    harness.onClose(stop);
  }
  const devices = await Promise.all(Array.from({ length: 30 }, () => register()));
  await Promise.all(
    devices.map(({ installationId }, i) =>
      store.presence.attach(app, installationId, { node: nodes[i % 6] ?? 'dead', connection: 'c' }),
    ),
  );
  const pushId = await accept();
  await send(
    pushId,
    devices.map(({ objectId }) => objectId),
  );
  const told = (): readonly string[] =>
    [...heard.values()].flat().flatMap((hint) => (hint.kind === 'stored' ? hint.installationIds : []));
  await until(() => told().length === devices.length / 2);
  expect(new Set(told()).size).toBe(told().length);
  expect([...heard.values()].map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(lost).toEqual([]);
});

it('what can wait no longer is discarded as expired', async () => {
  const device = await register();
  const expired = { kind: 'discarded', reason: 'expired' };
  expect(await send('0123456789abcd00', [device.objectId])).toEqual([expired]);
  const pushId = await accept();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await send(pushId, [device.objectId], 1)).toEqual([expired]);
  expect(await mailboxOf(device.installationId)).toEqual([]);
});
