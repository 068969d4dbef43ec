import { batchFor, openSessionRig } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { mz } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const now = (): number => 1_700_000_000_000;
const { signal } = new AbortController();

const open = (profile: JsonObject = SIMULATOR_PROFILE) => openSessionRig(mz, { makeSimulator, profile, now });
const batch = (data: JsonObject, registrationIds: readonly string[]) => batchFor('mz', { data }, { registrationIds });

test('a silent batch never leaves the house', async () => {
  const { session, http } = open();
  const outcomes = await session.send(batch({ silent: true, k: 1 }, ['r1', 'r2']), signal);
  const discarded = { kind: 'discarded', reason: 'silent-unsupported' };
  expect(outcomes).toMatchObject([discarded, discarded]);
  expect(http.requests).toEqual([]);
});

test('credentials are checked without a message', async () => {
  const { session, http } = open();
  await expect(session.verify(signal)).resolves.toEqual({ ok: true });
  expect(http.requests).toMatchObject([{ method: 'GET', path: '/garcia/api/server/push/statistics/dailyPushStatics' }]);
  expect(http.requests[0]?.query.get('startTime')).toBe('20231113');
  expect(http.sent).toEqual([]);
  await expect(open({ ...SIMULATOR_PROFILE, appSecret: 'wrong' }).session.verify(signal)).resolves.toMatchObject({
    ok: false,
    vendorCode: '1006',
  });
});

test('a class that the vendor has not is refused', () => {
  expect(() => mz.parseProfile({ appId: '1', appSecret: 'x', noticeMsgType: 2 })).toThrow();
});
