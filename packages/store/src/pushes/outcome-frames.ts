import { plainJsonIn, type DeviceOutcome } from '@pushfleet/domain';

/** What became of devices that were booked together, for the same reason. */
export interface OutcomeGroup {
  readonly channel: string;
  readonly outcome: DeviceOutcome;
  readonly reason?: string;
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
}

/** Devices of a group; those of a large bucket that a rule refused as a whole are counted and not named. */
export type GroupOfDevices = OutcomeGroup & ({ readonly objectIds: readonly string[] } | { readonly count: number });

/** What one fold booked. */
export interface OutcomeFrame {
  readonly at: number;
  readonly groups: readonly GroupOfDevices[];
  /** What it told cannot be read. */
  readonly isDamaged?: true;
}

/** A group as a frame writes it: what is absent at its end is left out. */
type WrittenGroup = readonly [channel: string, outcome?: Letter, ...words: string[]];
type Letter = (typeof LETTERS)[DeviceOutcome];

const LETTERS = { accepted: 'a', discarded: 'd', failed: 'f' } as const;
const OUTCOMES = { a: 'accepted', d: 'discarded', f: 'failed' } as const;

/** Devices of each group, or 0: all of them are of the only one. A negative number counts devices without names. */
type Counts = readonly number[] | 0;
type Head = readonly [at: number, groups: readonly WrittenGroup[], counts: Counts];

/** From so many devices on names are packed; a smaller frame is text, and may stand in the record. */
const PACKED_FROM = 9;
const END_OF_HEAD = '\n';

/**
 * A frame is JSON: when, the groups, the devices of each, and all names in that order. With many of one length, their common
 * length stands there instead, and behind the line every four characters of a name take three bytes.
 */
export function encodeFrame({ at, groups }: OutcomeFrame): string | Buffer {
  const counts = groups.map((group) => ('count' in group ? -group.count : group.objectIds.length));
  const [only = 0] = counts;
  const head: Head = [at, groups.map(written), groups.length === 1 && only > 0 ? 0 : counts];
  const names = namesIn(groups);
  const packed = names.length < PACKED_FROM ? undefined : packedFrame(head, names);
  return packed ?? JSON.stringify([...head, ...names]);
}

/** Runs for every device of a campaign: most frames are of one group, and `flatMap` costs more than all else here. */
function namesIn(groups: readonly GroupOfDevices[]): readonly string[] {
  const named = groups.flatMap((group) => ('count' in group ? [] : [group.objectIds]));
  return named.length === 1 ? (named[0] ?? []) : ([] as readonly string[]).concat(...named);
}

const DAMAGED: OutcomeFrame = { at: 0, groups: [], isDamaged: true };

export function decodeFrame(frame: Buffer): OutcomeFrame {
  const end = frame.indexOf(END_OF_HEAD);
  const written = plainJsonIn(frame.toString('utf8', 0, end < 0 ? frame.length : end));
  if (!isHead(written)) return DAMAGED;
  const [at, groups, counts, ...rest] = written;
  const names = end < 0 ? rest : unpacked(frame.subarray(end + 1), rest);
  if (!areNames(names)) return DAMAGED;
  let from = 0;
  return {
    at,
    groups: groups.map((group, i) => {
      const count = counts === 0 ? names.length : (counts[i] ?? 0);
      if (count < 0) return { ...read(group), count: -count };
      return { ...read(group), objectIds: names.slice(from, (from += count)) };
    }),
  };
}

const areNames = (names: readonly unknown[] | undefined): names is readonly string[] =>
  names?.every((name) => typeof name === 'string') === true;

function isHead(value: unknown): value is [...Head, ...unknown[]] {
  if (!Array.isArray(value)) return false;
  const [at, groups, counts] = value as readonly unknown[];
  const areCounts = counts === 0 || (Array.isArray(counts) && counts.every(Number.isSafeInteger));
  return isTime(at) && Array.isArray(groups) && groups.every(isGroup) && areCounts;
}

const isTime = (at: unknown): boolean => typeof at === 'number' && !Number.isNaN(new Date(at).getTime());

const isGroup = (group: unknown): boolean =>
  Array.isArray(group) && areNames(group) && (group[1] === undefined || Object.hasOwn(OUTCOMES, group[1]));

/** Small frames of one record stand in one text, each in its line. */
export const decodeLines = (lines: string): readonly OutcomeFrame[] =>
  lines === '' ? [] : lines.split('\n').map((line) => decodeFrame(Buffer.from(line)));

/** What became of one device; groups that are counted without names do not tell. */
export const groupOf = (frames: readonly OutcomeFrame[], objectId: string): OutcomeGroup | undefined => {
  const groups = frames.flatMap((frame) => frame.groups);
  const found = groups.find((group) => 'objectIds' in group && group.objectIds.includes(objectId));
  if (!found || 'count' in found) return undefined;
  const { objectIds: _, ...group } = found;
  return group;
};

/** A name as frames of many write it; undefined for one that is never packed. */
export function packedName(name: string): Buffer | undefined {
  const packed = Buffer.from(name, 'base64');
  return name !== '' && packed.toString('base64') === name ? packed : undefined;
}

function written({ channel, outcome, reason, vendorCode, vendorMessage }: OutcomeGroup): WrittenGroup {
  if (outcome === 'accepted') return [channel];
  const words = [reason ?? '', vendorCode ?? '', vendorMessage ?? ''];
  while (words.at(-1) === '') words.pop();
  return [channel, LETTERS[outcome], ...words];
}

/** Devices of a group, with and without names. */
const devicesOf = (group: GroupOfDevices): number => ('count' in group ? group.count : group.objectIds.length);

export const devicesIn = (frames: readonly OutcomeFrame[]): number =>
  frames.reduce((all, { groups }) => groups.reduce((some, group) => some + devicesOf(group), all), 0);

function read([channel, letter = 'a', reason = '', vendorCode = '', vendorMessage = '']: WrittenGroup): OutcomeGroup {
  return {
    channel,
    outcome: OUTCOMES[letter],
    ...(reason === '' ? {} : { reason }),
    ...(vendorCode === '' ? {} : { vendorCode }),
    ...(vendorMessage === '' ? {} : { vendorMessage }),
  };
}

/** Undefined when the names are no digits of base 64, or not of one length that is a multiple of four. */
function packedFrame(head: Head, names: readonly string[]): Buffer | undefined {
  const { length = 0 } = names[0] ?? '';
  if (length === 0 || length % 4 !== 0) return undefined;
  let text = '';
  for (const name of names) {
    if (name.length !== length) return undefined;
    text += name;
  }
  const line = JSON.stringify([...head, length]) + END_OF_HEAD;
  const from = Buffer.byteLength(line);
  const frame = Buffer.allocUnsafe(from + (text.length / 4) * 3);
  frame.write(line);
  frame.write(text, from, 'base64');
  return frame.toString('base64', from) === text ? frame : undefined;
}

/** Undefined when the common length of the names is none. */
function unpacked(bytes: Buffer, [length]: readonly unknown[]): readonly string[] | undefined {
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length <= 0) return undefined;
  const text = bytes.toString('base64');
  return Array.from({ length: text.length / length }, (_, i) => text.slice(i * length, (i + 1) * length));
}
