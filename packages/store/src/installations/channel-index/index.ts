import type { Audience } from '@pushfleet/domain';
import { rememberBriefly } from '../../kit/remember-briefly';
import { readColumns, soundColumns } from '../column-index/column-state';
import { openAskPlaces, type IndexParts } from './entries';
import { narrowAudience, type NarrowAudience, type Trust } from './narrow';
import { checkIndex, type PassTimes } from './pass';
import {
  awaySince,
  columnsSettledAt,
  isSound,
  noteFleet,
  readSettledAt,
  readState,
  readStates,
  type ChannelIndexState,
  type IndexProgress,
} from './states';
import { subscribersOfEach, type SubscribersOfEach } from './subscribers-of-each';

async function trustIn(parts: IndexParts, app: string, now: number): Promise<Trust> {
  const [channels, { state }, settledAt] = await Promise.all([
    isSound(parts, app, now),
    readColumns(parts, app),
    columnsSettledAt(parts),
  ]);
  return { channels, columns: soundColumns(state, settledAt) };
}

/** Where the subscribers of each channel are, so that a push to a few of them asks no more than those shards. */
export interface ChannelIndex {
  /**
   * Undefined for an audience that neither a channel nor an indexed column narrows, as far as their indexes are known to be
   * whole.
   */
  narrow(app: string, audience: Audience): Promise<NarrowAudience | undefined>;
  /**
   * The devices of each of some channels, each the channel of few. Undefined while the index is not known to be whole and too many
   * are asked for.
   */
  subscribersOfEach(app: string, channels: readonly string[]): Promise<SubscribersOfEach | undefined>;
  isSound(app: string): Promise<boolean>;
  state(app: string): Promise<ChannelIndexState>;
  /** Of every app that was looked at so far. */
  states(): Promise<ReadonlyMap<string, IndexProgress>>;
  /** When a dispatcher was last there, once it is so long ago that no index is known to be whole. */
  awaySince(): Promise<number | undefined>;
  /** Notes that processes which write the index are there; resolves with the time from which on there are no others. */
  noteFleet(fleet: { readonly now: number; readonly isFresh: () => Promise<boolean> }): Promise<number>;
  /** That time, without a note; undefined while there is none. */
  settledAt(): Promise<number | undefined>;
  /** From when on every process keeps the indexes of columns; never while that is not noted. */
  columnsSettledAt(): Promise<number>;
  /** Compares the index with the records when that is due; resolves with the number of entries that were missing. */
  check(app: string, times: PassTimes): Promise<number>;
}

export function openChannelIndex(parts: IndexParts, now: () => number): ChannelIndex {
  const trust = rememberBriefly((app) => trustIn(parts, app, now()), now);
  const reader = { ...parts, askPlaces: openAskPlaces(parts) };
  return {
    narrow: async (app, audience) => narrowAudience(reader, { app, audience }, await trust.get(app)),
    subscribersOfEach: async (app, channels) => {
      const { channels: isTrusted } = await trust.get(app);
      return subscribersOfEach(reader, { app, channels, isTrusted });
    },
    isSound: (app) => isSound(parts, app, now()),
    state: async (app) => (await readState(parts, app)).state,
    states: () => readStates(parts, now()),
    awaySince: () => awaySince(parts, now()),
    noteFleet: (fleet) => noteFleet(parts, fleet),
    settledAt: () => readSettledAt(parts),
    columnsSettledAt: () => columnsSettledAt(parts),
    check: (app, times) => checkIndex(parts, app, times),
  };
}
