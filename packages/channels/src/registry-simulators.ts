import type { ChannelSimulator, SimulatorOptions } from '@pushfleet/channel-kit/testing';
import * as hms from './hms/simulator';
import * as honor from './honor/simulator';
import * as mi from './mi/simulator';
import * as mz from './mz/simulator';
import * as oppo from './oppo/simulator';
import * as vivo from './vivo/simulator';
import type { ChannelName } from './registry';

/** A vendor in miniature for each channel. */
export const simulators = {
  hms: hms.makeSimulator,
  mi: mi.makeSimulator,
  mz: mz.makeSimulator,
  oppo: oppo.makeSimulator,
  vivo: vivo.makeSimulator,
  honor: honor.makeSimulator,
} as const satisfies Record<ChannelName, (options: SimulatorOptions) => ChannelSimulator>;

/** A complete profile of each channel that its simulator takes for right. */
export const simulatorProfiles = {
  hms: hms.SIMULATOR_PROFILE,
  mi: mi.SIMULATOR_PROFILE,
  mz: mz.SIMULATOR_PROFILE,
  oppo: oppo.SIMULATOR_PROFILE,
  vivo: vivo.SIMULATOR_PROFILE,
  honor: honor.SIMULATOR_PROFILE,
} as const satisfies Record<ChannelName, unknown>;
