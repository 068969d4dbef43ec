import { batchFor, expectChecked, expectUnsent, openSessionRig } from '@pushfleet/channel-kit/testing';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { mi } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const now = (): number => 1_700_000_000_000;
const { signal } = new AbortController();

const open = (profile: JsonObject = SIMULATOR_PROFILE) => openSessionRig(mi, { makeSimulator, profile, now });
const batch = (data: JsonObject, registrationIds: readonly string[]) => batchFor('mi', { data }, { registrationIds });

test('a discarded batch never leaves the house', async () => {
  await expectUnsent(open(), batch({ silent: true, k: 'x'.repeat(5000) }, ['r1', 'r2']), 'payload-too-large');
});

test('credentials are checked without a message', async () => {
  const rigs = { right: open(), wrong: open({ ...SIMULATOR_PROFILE, appSecret: 'wrong' }) };
  await expectChecked(rigs, { path: '/v1/trace/quota/get', vendorCode: '21301' });
});

test('the region names the host, unless the operator has a relay for all of them', async () => {
  const originsOf = async (origins: Record<string, string>, profile: JsonObject) => {
    const { http, deps } = open();
    const session = mi.open({ ...SIMULATOR_PROFILE, ...profile }, { ...deps, origins });
    await session.send(batch({ alert: 'a' }, ['r1']), signal);
    await session.verify(signal);
    return [...new Set(http.origins)];
  };
  expect(await originsOf(mi.endpoints, {})).toEqual(['https://api.xmpush.xiaomi.com']);
  expect(await originsOf(mi.endpoints, { region: 'cn' })).toEqual(['https://api.xmpush.xiaomi.com']);
  expect(await originsOf(mi.endpoints, { region: 'sgp' })).toEqual(['https://sgp-api.xmpush.global.xiaomi.com']);
  expect(await originsOf({ MI_PUSH_URL: 'http://relay.test' }, { region: 'sgp' })).toEqual(['http://relay.test']);
});

test.each([
  { region: 'https://evil.example' },
  { region: 'mars' },
  { tap: 'door' },
  { passThrough: 'no' },
  { templateParam: { a: '' } },
])('the profile field %j is refused', (field) => {
  expect(() => mi.parseProfile({ ...SIMULATOR_PROFILE, ...field })).toThrow();
});

test('variables of a template are stored as the vendor wants them, and read back', () => {
  const saved = mi.parseProfile({ ...SIMULATOR_PROFILE, templateId: 'T1', templateParam: { code: 1, id: 2n ** 60n } });
  expect(saved['templateParam']).toBe('{"code":"1","id":"1152921504606846976"}');
  expect(mi.parseProfile(saved)).toEqual(saved);
});

test('a sender is warned of what the vendor has ended', () => {
  const warned = (data: JsonObject, profile: JsonObject = {}, section: JsonObject = {}) => {
    const message = messageFor({ data, sections: { mi: section } }, 'mi');
    return mi.warningsFor(message, { ...SIMULATOR_PROFILE, ...profile }).map(({ path }) => path);
  };
  expect(warned({ silent: true })).toEqual(['data.silent']);
  expect(warned({ silent: true }, { passThrough: false })).toEqual(['data.silent']);
  expect(warned({ alert: 'a' }, {}, { pass_through: 1 })).toEqual(['mi.pass_through']);
  expect(warned({ alert: 'a', action: 'com.example.TAP' })).toEqual(['data.action']);
  expect(warned({ alert: 'a', action: 'com.example.TAP' }, { tap: 'receiver' })).toEqual([]);
  expect(warned({ alert: 'a', action: 'x' }, {}, { extra: { notify_effect: 1 } })).toEqual([]);
  expect(warned({ alert: 'a' })).toEqual([]);
});

test('a profile needs no package name: the secret is of one app, and the spec has none', () => {
  expect(mi.parseProfile({ appId: '1', appSecret: 'x' })).toEqual({ appId: '1', appSecret: 'x' });
});
