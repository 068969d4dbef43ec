import { isChannelFault } from '@pushfleet/channel-kit';
import { batchFor, forgetfulVendor, openSessionRig } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { BROADCAST_PATH, SAVE_PATH, UNICAST_BATCH_PATH, UNICAST_PATH } from './endpoints';
import { oppo } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const now = (): number => Date.UTC(2026, 0, 15, 4);
const never = new AbortController().signal;

const openRig = () => openSessionRig(oppo, { makeSimulator, profile: SIMULATOR_PROFILE, now });

const forgetting = (times: number, rig = openRig()) =>
  forgetfulVendor(rig, { path: BROADCAST_PATH, times, answer: { code: 31, message: 'Data Not Exist' } });

const batchOf = (registrationIds: readonly string[], batchId = 'batch-1', section: JsonObject = {}) =>
  batchFor('oppo', { data: { alert: 'Body' }, section: oppo.parseSection(section) }, { registrationIds, batchId });

it('the pages of a push share one saved message', async () => {
  const { session, http, paths } = openRig();
  await session.send(batchOf(['a', 'b'], 'batch-1'), never);
  await session.send({ ...batchOf(['c', 'd'], 'batch-2'), ttlMs: 3_000_000 }, never);
  expect(paths()).toEqual([SAVE_PATH, BROADCAST_PATH, BROADCAST_PATH]);
  expect(new URLSearchParams(http.requests[1]?.body).get('app_message_id')).toMatch(/^pushidpushidpush-[0-9a-f]{20}$/);
  expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['a', 'b', 'c', 'd']);
});

it('a saved message that the vendor forgot is saved once more, under another id', async () => {
  const rig = openRig();
  await rig.session.send(batchOf(['a', 'b']), never);
  const forgetful = forgetting(1, rig);
  const session = oppo.open(SIMULATOR_PROFILE, forgetful.deps);
  const outcomes = await session.send(batchOf(['c', 'd'], 'batch-2'), never);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  expect(forgetful.paths).toEqual([SAVE_PATH, BROADCAST_PATH, SAVE_PATH, BROADCAST_PATH]);
  expect(new URLSearchParams(rig.http.requests.at(-2)?.body).get('app_message_id')).toBe('batch-2');
});

it('a message that the vendor forgets twice is rejected', async () => {
  const { deps } = forgetting(2);
  const error: unknown = await oppo
    .open(SIMULATOR_PROFILE, deps)
    .send(batchOf(['c', 'd']), never)
    .catch((reason: unknown) => reason);
  expect(isChannelFault(error) && error.code).toBe('message-rejected');
});

it('messages of a private template are sent one by one in a batch', async () => {
  const { session, http, paths } = openRig();
  const outcomes = await session.send(
    batchOf(['a', 'gone-b', 'c'], 'batch-1', { private_msg_template_id: 't' }),
    never,
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'discarded', 'accepted']);
  expect(paths()).toEqual([UNICAST_BATCH_PATH]);
  expect(http.sent[0]?.registrationIds).toEqual(['a', 'c']);
});

it('a repeated single send reaches the device once', async () => {
  const { session, http, paths } = openRig();
  const [first] = await session.send(batchOf(['a']), never);
  const [second] = await session.send(batchOf(['a']), never);
  expect(second).toEqual(first);
  expect(paths()).toEqual([UNICAST_PATH, UNICAST_PATH]);
  expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['a']);
});

it.each([
  ['url', true],
  ['off', false],
])('with receipts: %s a message carries the address: %s', async (receipts, isCarried) => {
  const { http, deps } = openRig();
  const receiptUrl = 'https://push.example.com/receipts';
  await oppo.open({ ...SIMULATOR_PROFILE, receipts }, deps).send({ ...batchOf(['a']), receiptUrl }, never);
  expect(JSON.stringify(http.sent[0]?.message).includes(receiptUrl)).toBe(isCarried);
});
