import type { IndexEntry } from '../stored';

/** What Redis needs for an installation beside its text: fields of hashes, look-ups, its place in a bucket. */
const RECORD_BYTES = 500;
/** A subscription; one to a channel of its own costs some more, one that others share some less. */
const CHANNEL_BYTES = 200;
/** A value in the index of a column, with what names its shard; an item of a list is one. */
export const INDEXED_VALUE_BYTES = 200;

/** What an installation takes of Redis, about; a function of what is stored, so that what was added can be taken off. */
export function bytesOf(text: string, entry: Pick<IndexEntry, 'channels'> | undefined): number {
  if (text === '') return 0;
  return RECORD_BYTES + Buffer.byteLength(text) + CHANNEL_BYTES * (entry?.channels.length ?? 0);
}
