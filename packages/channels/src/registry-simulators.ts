import { createRequire } from 'node:module';
import type { MakeSimulator } from '@pushfleet/channel-kit/testing';
import type { JsonObject } from '@pushfleet/domain';
import { channelNames, type ChannelName } from './registry';

/** What `simulator.ts` of every channel's folder exports. */
interface SimulatorModule {
  readonly makeSimulator: MakeSimulator;
  /** A complete profile that the simulator takes for right. */
  readonly SIMULATOR_PROFILE: JsonObject;
}

/** Found by the name of the folder, so that no production module leads to a simulator. */
const load = createRequire(__filename) as (path: string) => SimulatorModule;

const ofEveryChannel = <Part extends keyof SimulatorModule>(part: Part): Record<ChannelName, SimulatorModule[Part]> =>
  Object.fromEntries(channelNames.map((name) => [name, load(`./${name}/simulator`)[part]])) as Record<
    ChannelName,
    SimulatorModule[Part]
  >;

/** A vendor in miniature for each channel. */
export const simulators = ofEveryChannel('makeSimulator');

/** A complete profile of each channel that its simulator takes for right. */
export const simulatorProfiles = ofEveryChannel('SIMULATOR_PROFILE');
