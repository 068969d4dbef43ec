import { batchFor, expectChecked, expectUnsent, openSessionRig } from '@pushfleet/channel-kit/testing';
import { type JsonObject } from '@pushfleet/domain';
import { mz } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const now = (): number => 1_700_000_000_000;

const open = (profile: JsonObject = SIMULATOR_PROFILE) => openSessionRig(mz, { makeSimulator, profile, now });
const batch = (data: JsonObject, registrationIds: readonly string[]) => batchFor('mz', { data }, { registrationIds });

test('a silent batch never leaves the house', async () => {
  await expectUnsent(open(), batch({ silent: true, k: 1 }, ['r1', 'r2']), 'silent-unsupported');
});

test('credentials are checked without a message', async () => {
  const rigs = { right: open(), wrong: open({ ...SIMULATOR_PROFILE, appSecret: 'wrong' }) };
  const path = '/garcia/api/server/push/statistics/dailyPushStatics';
  await expectChecked(rigs, { path, vendorCode: '1006' });
  expect(rigs.right.http.requests[0]?.query.get('startTime')).toBe('20231113');
});

test('a class that the vendor has not is refused', () => {
  expect(() => mz.parseProfile({ appId: '1', appSecret: 'x', noticeMsgType: 2 })).toThrow();
});
