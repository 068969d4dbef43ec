import { channelNames, channels, type ChannelName } from '@pushfleet/channels';
import type { Json, JsonObject } from '@pushfleet/domain';

type Random = <T>(items: readonly T[]) => T;

/** What a device may be like: with a vendor, with none, of a platform that is not served, or half registered. */
export function randomDevice(pick: Random, n: number): JsonObject {
  const name = pick<ChannelName | 'own' | 'odd'>([...channelNames, ...channelNames, 'own', 'odd']);
  const common = { deviceType: 'android', installationId: `device-${n}`, lang: pick(['de', 'en', 'zh']), age: n % 7 };
  const subscribed = { ...common, channels: pick<string[]>([[], ['news'], ['sport'], ['news', 'sport']]) };
  if (name === 'own') return subscribed;
  if (name === 'odd') return { ...subscribed, ...pick(ODD) };
  const profile = pick<JsonObject>([{}, {}, {}, { deviceProfile: 'elsewhere' }]);
  return { ...subscribed, ...profile, vendor: channels[name].vendor, registrationId: `token-${n}` };
}

const ODD: readonly JsonObject[] = [
  { deviceType: 'ios' },
  { vendor: 'nobody', registrationId: 'x' },
  { vendor: 'HMS' },
  { installationId: null, deviceToken: 'of-a-device-without-a-mailbox' },
];

const LONG = '长'.repeat(300);

export function randomContent(pick: Random): JsonObject {
  const alert = pick(['Hello', LONG, '', 'a b 中']);
  const data: Record<string, Json> = { alert, ...pick<JsonObject>([{}, { title: 'T' }, { title: LONG }]) };
  const more = pick<JsonObject>([
    ...[{}, {}, { k: 'v' }, { silent: true, k: 1 }, { k: 'x'.repeat(2000) }, { badge: 3 }],
    ...[{ vivo: { category: 'IM' } }, { hms: { category: 'IM' }, mi: { title: 'mi' } }],
    { hms: { android: { package_name: 'p'.repeat(200) } } },
  ]);
  return { ...data, ...more };
}

export function randomAudience(pick: Random): JsonObject {
  const ids = [1, 5, 9, 44, 400].map((n) => `device-${n}`);
  return pick<JsonObject>([
    {},
    { channels: ['news'] },
    { channels: ['news', 'sport'] },
    { channels: [] },
    { where: { lang: 'de' } },
    { where: { age: { $gt: 3 } }, channels: ['sport'] },
    { where: { vendor: 'mi' } },
    { where: { vendor: { $in: ['HMS', 'vivo'] }, lang: { $ne: 'zh' } } },
    { where: { installationId: { $in: ids } } },
    { where: { installationId: 'device-7', lang: 'en' } },
    { where: { installationId: { $exists: false } } },
    { where: { $or: [{ age: 1 }, { deviceType: 'ios' }] } },
    { where: { lang: 'nobody speaks it' } },
    { where: { installationId: { $inQuery: { className: '_Installation', where: { age: 2 } } } } },
  ]);
}
