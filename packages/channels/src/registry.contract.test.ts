import { openTokenCache } from '@pushfleet/channel-kit';
import {
  describeAttributeContract,
  describeChannelContract,
  memoryTokenStore,
  simulatorHttp,
} from '@pushfleet/channel-kit/testing';
import { channelNames, channelOfVendor, channels, type ChannelName } from './registry';
import { simulatorProfiles, simulators } from './registry-simulators';

for (const name of channelNames) describeChannelContract(channels[name], simulators[name], simulatorProfiles[name]);
for (const name of channelNames) describeAttributeContract(channels[name], simulators[name], simulatorProfiles[name]);

const now = (): number => Date.UTC(2026, 0, 15);

async function pathsOf(name: ChannelName): Promise<readonly string[]> {
  const { endpoints, open } = channels[name];
  const http = simulatorHttp(simulators[name]({ now }));
  const session = open(simulatorProfiles[name], {
    http,
    tokens: openTokenCache(memoryTokenStore(), now),
    now,
    origins: endpoints,
  });
  const message = { title: 'T', alert: 'A', silent: false, attributes: {}, data: { alert: 'A' }, section: {} };
  const app = { name: 'App', overlong: 'truncate', intentHost: 'example.com' } as const;
  for (const registrationIds of [['reg-1'], ['reg-1', 'reg-2']]) {
    const batch = { pushId: 'push', batchId: 'batch', message, app, registrationIds, ttlMs: 60_000 };
    await session.send(batch, new AbortController().signal);
  }
  return http.requests.map(({ path }) => path);
}

describe('registry', () => {
  it('a channel stands under its own name', () => {
    for (const name of channelNames) expect(channels[name].name).toBe(name);
  });

  it('every vendor value leads to one channel', () => {
    expect([...channelOfVendor.values()]).toEqual(channelNames);
    expect(channelOfVendor.get('HMS')).toBe('hms');
  });

  it('every channel counts in a field of its own', () => {
    const fields = channelNames.map((name) => channels[name].successesField);
    expect(new Set(fields).size).toBe(fields.length);
  });

  it.each(channelNames)('the paths of %s belong to no other vendor', async (name) => {
    for (const path of await pathsOf(name)) {
      expect(channelNames.filter((other) => simulators[other]({ now }).handles(path))).toEqual([name]);
    }
  });
});
