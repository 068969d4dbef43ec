import { describeChannelContract } from '@pushfleet/channel-kit/testing';
import { channelNames, channelOfVendor, channels } from './registry';
import { simulatorProfiles, simulators } from './registry-simulators';

for (const name of channelNames) describeChannelContract(channels[name], simulators[name], simulatorProfiles[name]);

describe('registry', () => {
  it('a channel stands under its own name', () => {
    for (const name of channelNames) expect(channels[name].name).toBe(name);
  });

  it('every vendor value leads to one channel', () => {
    expect([...channelOfVendor.values()]).toEqual(channelNames);
  });

  it('no two vendors answer the same path', () => {
    const now = (): number => 0;
    const answering = (path: string): string[] =>
      channelNames.filter((name) => simulators[name]({ now }).handles(path));
    for (const path of ['/', '/v1', '/api', '/message', '/server']) expect(answering(path).length).toBeLessThan(2);
  });
});
