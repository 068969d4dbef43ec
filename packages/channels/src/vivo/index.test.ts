import { isChannelFault, type PushBatch } from '@pushfleet/channel-kit';
import { batchFor, forgetfulVendor, openSessionRig } from '@pushfleet/channel-kit/testing';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { vivo } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const now = (): number => Date.UTC(2026, 0, 15, 4);
const never = new AbortController().signal;

const openRig = () => openSessionRig(vivo, { makeSimulator, profile: SIMULATOR_PROFILE, now });

const forgetting = (times: number, result: number) =>
  forgetfulVendor(openRig(), { path: LIST_PATH, times, answer: { result, desc: 'gone' } });

const batchOf = (registrationIds: readonly string[], batchId = 'batch-1') =>
  batchFor('vivo', { data: { alert: 'Body' } }, { registrationIds, batchId });

it('the pages of a push share one saved payload', async () => {
  const { session, http, paths } = openRig();
  const [first] = await session.send(batchOf(['a', 'b'], 'batch-1'), never);
  const [second] = await session.send({ ...batchOf(['c', 'd'], 'batch-2'), ttlMs: 3_000_000 }, never);
  expect(paths()).toEqual([SAVE_PATH, LIST_PATH, LIST_PATH]);
  expect(second).toEqual(first);
  expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['a', 'b', 'c', 'd']);
});

it.each([10152, 10155])('a payload that the vendor forgot (%d) is saved once more', async (result) => {
  const { paths, deps } = forgetting(1, result);
  const outcomes = await vivo.open(SIMULATOR_PROFILE, deps).send(batchOf(['a', 'b']), never);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  expect(paths).toEqual([SAVE_PATH, LIST_PATH, SAVE_PATH, LIST_PATH]);
});

it('a payload that the vendor forgets twice is rejected', async () => {
  const { deps } = forgetting(2, 10155);
  const call = vivo.open(SIMULATOR_PROFILE, deps).send(batchOf(['a', 'b']), never);
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(isChannelFault(error) && error.code).toBe('message-rejected');
});

it('a repeated request reaches its devices once', async () => {
  const { session, http, paths } = openRig();
  for (const ids of [['a'], ['a']]) await session.send(batchOf(ids, 'batch-1'), never);
  for (const ids of [
    ['b', 'c'],
    ['b', 'c'],
  ])
    await session.send(batchOf(ids, 'batch-2'), never);
  expect(paths()).toEqual([SEND_PATH, SEND_PATH, SAVE_PATH, LIST_PATH, LIST_PATH]);
  expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['a', 'b', 'c']);
});

it('more custom pairs than the vendor takes are sent in one, for a list too', async () => {
  const { session, http } = openRig();
  const data = { alert: 'Body', ...Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'v'])) };
  const batch = { ...batchOf(['a', 'b']), message: messageFor({ data, sections: {} }, 'vivo') };
  const accepted = { kind: 'accepted', notes: ['attributes: k9, k10 in the pair _more'] };
  expect(await session.send(batch, never)).toMatchObject([accepted, accepted]);
  expect(http.sent[0]?.message).toMatchObject({ clientCustomMap: { k8: 'v', _more: '{"k9":"v","k10":"v"}' } });
});

it('an app id may be given as the number that the vendor shows', () => {
  expect(vivo.parseProfile({ ...SIMULATOR_PROFILE, appId: 10004 })).toEqual(SIMULATOR_PROFILE);
});

it.each<[JsonObject, Partial<PushBatch['app']>, object]>([
  [{ alert: ' ' }, {}, { kind: 'discarded', reason: 'message-rejected' }],
  [{ alert: 'B', k: 'x'.repeat(1024) }, { overlong: 'reject' }, { kind: 'discarded', reason: 'payload-too-large' }],
  [{ alert: 'B', k: 'x'.repeat(1024) }, {}, { kind: 'accepted', notes: ['attributes: k left out, no room'] }],
])('the message %j of an app with %j is %j', async (data, app, outcome) => {
  const { session } = openRig();
  const batch = batchOf(['a']);
  const message = messageFor({ data, sections: {} }, 'vivo');
  expect(await session.send({ ...batch, message, app: { ...batch.app, ...app } }, never)).toMatchObject([outcome]);
});

it('authenticating too often is throttling, and the credentials stay good', async () => {
  const { http, session } = openRig();
  http.misbehave({ kind: 'throttled' });
  await expect(session.send(batchOf(['a']), never)).rejects.toMatchObject({ code: 'throttled', vendorCode: '10093' });
  expect((await session.send(batchOf(['a']), never)).map(({ kind }) => kind)).toEqual(['accepted']);
});

it('the secret may have the name that the hybrid push guide gives it, and the id may be a number', () => {
  const { appSecret, ...rest } = SIMULATOR_PROFILE;
  expect(vivo.parseProfile({ ...rest, secret: appSecret })).toEqual(SIMULATOR_PROFILE);
  expect(() => vivo.parseProfile({ ...SIMULATOR_PROFILE, secret: 'x' })).toThrow(/secret/);
  expect(vivo.parseProfile({ ...SIMULATOR_PROFILE, callbackId: 7 })).toMatchObject({ callbackId: '7' });
  expect(() => vivo.parseProfile({ ...SIMULATOR_PROFILE, callbackId: 'https://a.example' })).toThrow(/callbackId/);
});

it('a key that the vendor does not know among its extras is told by name', () => {
  const warned = (section: JsonObject) =>
    vivo.warningsFor(messageFor({ data: { alert: 'A' }, sections: { vivo: section } }, 'vivo'), SIMULATOR_PROFILE);
  expect(warned({ extra: { order: 1 } })).toMatchObject([{ path: 'vivo.extra.order' }]);
  expect(warned({ extra: {}, category: 'IM' })).toEqual([]);
});
