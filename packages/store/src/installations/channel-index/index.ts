import type { Audience } from '@pushfleet/domain';
import { rememberBriefly } from '../../kit/remember-briefly';
import type { IndexParts } from './entries';
import { narrowAudience, type NarrowAudience } from './narrow';
import { checkIndex, type PassTimes } from './pass';
import {
  isSound,
  noteFleet,
  readSettledAt,
  readState,
  readStates,
  type ChannelIndexState,
  type IndexProgress,
} from './states';

/** Where the subscribers of each channel are, so that a push to a few of them asks no more than those shards. */
export interface ChannelIndex {
  /** Undefined for an audience that no channel narrows, and while the index is not known to be whole. */
  narrow(app: string, audience: Audience): Promise<NarrowAudience | undefined>;
  isSound(app: string): Promise<boolean>;
  state(app: string): Promise<ChannelIndexState>;
  /** Of every app that was looked at so far. */
  states(): Promise<ReadonlyMap<string, IndexProgress>>;
  /** Notes that processes which write the index are there; resolves with the time from which on there are no others. */
  noteFleet(fleet: { readonly now: number; readonly isFresh: () => Promise<boolean> }): Promise<number>;
  /** That time, without a note; undefined while there is none. */
  settledAt(): Promise<number | undefined>;
  /** Compares the index with the records when that is due; resolves with the number of entries that were missing. */
  check(app: string, times: PassTimes): Promise<number>;
}

export function openChannelIndex(parts: IndexParts, now: () => number): ChannelIndex {
  const sound = rememberBriefly((app) => isSound(parts, app), now);
  return {
    narrow: async (app, audience) => ((await sound.get(app)) ? narrowAudience(parts, app, audience) : undefined),
    isSound: (app) => isSound(parts, app),
    state: async (app) => (await readState(parts, app)).state,
    states: () => readStates(parts),
    noteFleet: (fleet) => noteFleet(parts, fleet),
    settledAt: () => readSettledAt(parts),
    check: (app, times) => checkIndex(parts, app, times),
  };
}
