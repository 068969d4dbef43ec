import { openTokenCache } from '@pushfleet/channel-kit';
import { memoryTokenStore } from '@pushfleet/channel-kit/testing';
import { messageFor, type JsonObject } from '@pushfleet/domain';
import { channels, type ChannelName } from './index';
import { simulatorProfiles } from './registry-simulators';

const LONG = { package: 'x'.repeat(129), packageName: 'x'.repeat(129) };

const PLACES: readonly (readonly [channel: ChannelName, place: string])[] = [
  ['hms', 'data'],
  ['hms', 'message.data'],
  ['hms', 'message.android.data'],
  ['mi', 'extra'],
  ['mi', 'payload'],
  ['mz', 'clickTypeInfo.parameters'],
  ['vivo', 'clientCustomMap'],
  ['oppo', 'action_parameters'],
  ['honor', 'data'],
  ['honor', 'android.data'],
];

const at = (place: string, value: JsonObject): JsonObject =>
  place.split('.').reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), value);

function previewOf(name: ChannelName, section: JsonObject) {
  const now = (): number => 0;
  const http = { request: () => Promise.reject(new Error('no call')), close: () => Promise.resolve() };
  const { endpoints: origins, ...channel } = channels[name];
  const session = channel.open(simulatorProfiles[name], {
    ...{ http, now, origins },
    tokens: openTokenCache(memoryTokenStore(), now),
  });
  const sections = { [name]: channel.parseSection(section) };
  const message = messageFor({ data: { alert: 'a' }, sections }, name);
  const app = { name: 'Demo', overlong: 'truncate', intentHost: 'h' } as const;
  return session.preview({ ...{ pushId: 'p', batchId: 'b', message, app }, registrationIds: ['r'], ttlMs: 60_000 });
}

it.each(PLACES)('what a section of %s hands to the app at %s may name a long package', (name, place) => {
  expect(previewOf(name, at(place, LONG)).kind).toBe('preview');
});

it.each(['hms', 'mi', 'mz', 'vivo', 'oppo', 'honor'] as const)('a package name of %s itself may not', (name) => {
  expect(previewOf(name, { package: 'x'.repeat(129) })).toMatchObject({ reason: 'package-name-too-long' });
});
