import { openTokenCache } from '@pushfleet/channel-kit';
import {
  bearsReplaceId,
  describeAttributeContract,
  describeChannelContract,
  memoryTokenStore,
  simulatorHttp,
} from '@pushfleet/channel-kit/testing';
import type { JsonObject } from '@pushfleet/domain';
import { channelNames, channelOfVendor, channels, type ChannelName } from './registry';
import { simulatorProfiles, simulators } from './registry-simulators';

for (const name of channelNames) describeChannelContract(channels[name], simulators[name], simulatorProfiles[name]);
for (const name of channelNames) describeAttributeContract(channels[name], simulators[name], simulatorProfiles[name]);

const now = (): number => Date.UTC(2026, 0, 15);

interface Sent {
  readonly pushId: string;
  readonly group?: string;
  readonly registrationIds: readonly string[];
}

const ofGroup = (group: string | undefined) => (group === undefined ? {} : { group });

/** The requests with which a channel sends some pushes, one after the other. */
async function requestsFor(name: ChannelName, pushes: readonly Sent[]) {
  const { endpoints, open } = channels[name];
  const http = simulatorHttp(simulators[name]({ now }));
  const session = open(simulatorProfiles[name], {
    http,
    tokens: openTokenCache(memoryTokenStore(), now),
    now,
    origins: endpoints,
  });
  const text = { title: 'T', alert: 'A', silent: false, attributes: {}, data: { alert: 'A' }, section: {} };
  const app = { name: 'App', overlong: 'truncate', intentHost: 'example.com' } as const;
  for (const { pushId, group, registrationIds } of pushes) {
    const message = { ...text, ...ofGroup(group) };
    const batch = { pushId, batchId: `${pushId}-1`, message, app, registrationIds, ttlMs: 60_000 };
    await session.send(batch, new AbortController().signal);
  }
  return http.requests;
}

async function pathsOf(name: ChannelName): Promise<readonly string[]> {
  const ids = [['reg-1'], ['reg-1', 'reg-2']];
  const requests = await requestsFor(
    name,
    ids.map((registrationIds) => ({ pushId: 'push', registrationIds })),
  );
  return requests.map(({ path }) => path);
}

/** Of pushes of these groups, whether each one bears the id of its group, or its own where it has no group. */
async function bearReplaceIds(name: ChannelName, groups: readonly (string | undefined)[]) {
  const pushes = groups.map((group, i) => ({ pushId: `push${i}`, registrationIds: ['reg-1'], ...ofGroup(group) }));
  const requests = (await requestsFor(name, pushes)).slice(-pushes.length);
  return requests.map(({ body }, i) =>
    bearsReplaceId(decodeURIComponent(body), { pushId: `push${i}`, message: ofGroup(groups[i]) }),
  );
}

describe('registry', () => {
  it('a channel stands under its own name', () => {
    for (const name of channelNames) expect(channels[name].name).toBe(name);
  });

  it('every vendor value leads to one channel', () => {
    expect([...channelOfVendor.values()]).toEqual(channelNames);
    expect(channelOfVendor.get('HMS')).toBe('hms');
  });

  it.each<[ChannelName, JsonObject, JsonObject]>([
    [
      'hms',
      { AppId: '1', AppSecret: 's', 'Android Intent Hostname': 'a.example' },
      { appId: '1', appSecret: 's', intentHost: 'a.example' },
    ],
    ['mi', { AppId: '1', AppSecret: 's' }, { appId: '1', appSecret: 's' }],
    ['mz', { AppId: '1', AppSecret: 's' }, { appId: '1', appSecret: 's' }],
    ['vivo', { appId: '1', appKey: 'k', secret: 's' }, { appId: '1', appKey: 'k', appSecret: 's' }],
    ['oppo', { 'app key': 'k', 'master secret': 's' }, { appKey: 'k', masterSecret: 's' }],
    [
      'honor',
      { 'APP ID': '1', 'APP Secret': 's', 'Client ID': 'c', 'Client Secret': 't' },
      { appId: '1', appSecret: 's', clientId: 'c', clientSecret: 't' },
    ],
  ])('a profile of %s may have the names that the hosted console shows', (name, labelled, own) => {
    expect(channels[name].parseProfile(labelled)).toEqual(own);
  });

  it('every channel counts in a field of its own', () => {
    const fields = channelNames.map((name) => channels[name].successesField);
    expect(new Set(fields).size).toBe(fields.length);
  });

  it.each(channelNames)(
    'a notification of %s replaces the one before of its group, where the vendor can',
    async (name) => {
      const [alone, ...grouped] = await bearReplaceIds(name, [undefined, 'c1', 'c1', 'c2']);
      expect(grouped).toEqual(grouped.map(() => alone));
    },
  );

  it.each(channelNames)('the paths of %s belong to no other vendor', async (name) => {
    for (const path of await pathsOf(name)) {
      expect(channelNames.filter((other) => simulators[other]({ now }).handles(path))).toEqual([name]);
    }
  });
});
