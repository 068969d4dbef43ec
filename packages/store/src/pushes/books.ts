import { keptWords, MAX_SAMPLES, OTHER_PROFILES, type Reason, type VendorVerdict } from '@pushfleet/domain';
import { each, type Values } from '../kit/lua/params';
import { devicesIn, encodeFrame, type GroupOfDevices, type OutcomeGroup } from './outcome-frames';
import { counterField, discardCounter, errorKey, failureCounter, isNoteCounter, noteCounter } from './record-fields';

/** Notes that one fold may add. Notes depend on the message and the profile, so that a push has few. */
const MAX_NOTES = 10;
const MAX_NOTE_LENGTH = 200;

/** Devices that are named, and how many are not. */
interface ToldGroup extends OutcomeGroup {
  readonly objectIds: string[];
  count: number;
}

interface ErrorEntry extends VendorVerdict {
  readonly channel: string;
  readonly reason: Reason;
  count: number;
  readonly samples: string[];
}

/** What one fold adds to a push record: counts, errors, and the vendor's verdict on single devices. */
export class Books {
  readonly counts = new Map<string, number>();
  readonly errors = new Map<string, ErrorEntry>();
  /** objectId and the verdict as text. */
  readonly verdicts: (readonly [objectId: string, verdict: string])[] = [];
  private readonly told = new Map<string, ToldGroup>();

  constructor(readonly channel: string) {}

  private get notes(): number {
    return [...this.counts.keys()].filter(isNoteCounter).length;
  }

  add(counter: string, count: number): void {
    if (count !== 0) this.counts.set(counter, (this.counts.get(counter) ?? 0) + count);
  }

  accept(count: number): void {
    this.add('accepted', count);
  }

  acceptDevices(objectIds: readonly string[]): void {
    this.accept(objectIds.length);
    if (objectIds.length > 0)
      this.tell('', { channel: this.channel, outcome: 'accepted' }).objectIds.push(...objectIds);
  }

  /** What became of the devices, in groups. */
  get groups(): readonly GroupOfDevices[] {
    return [...this.told.values()].flatMap(({ objectIds, count, ...group }) => [
      ...(objectIds.length > 0 ? [{ objectIds, ...group }] : []),
      ...(count > 0 ? [{ count, ...group }] : []),
    ]);
  }

  private tell(key: string, group: OutcomeGroup): ToldGroup {
    const known = this.told.get(key) ?? { objectIds: [], count: 0, ...group };
    this.told.set(key, known);
    return known;
  }

  /** Counts devices whose message a channel had to change. The words become the name of the counter. */
  note(words: string, count: number): void {
    const counter = noteCounter(words.slice(0, MAX_NOTE_LENGTH));
    if (this.counts.has(counter) || this.notes < MAX_NOTES) this.add(counter, count);
  }

  /** Names what devices asked for, for those that are booked as `profile-missing`. */
  noteMissing(profile: string | undefined, reason: Reason, count: number): void {
    if (reason !== 'profile-missing' || count === 0 || profile === undefined || profile === '') return;
    const isNamed = profile !== OTHER_PROFILES;
    this.note(isNamed ? `there is no profile "${profile}"` : 'devices name profiles that the app never had', count);
  }

  /** Books a discard or a failure; `samples` are objectIds, of all its devices or of some. */
  refuse(
    kind: 'discarded' | 'failed',
    reason: Reason,
    entry: { count: number; samples: readonly string[] } & VendorVerdict,
  ): void {
    this.add(kind === 'discarded' ? discardCounter(reason) : failureCounter(reason), entry.count);
    const { count, samples } = entry;
    const words = cut(entry);
    const key = errorKey(this.channel, reason, words.vendorCode);
    const told = this.tell(key, { channel: this.channel, outcome: kind, reason, ...words });
    if (samples.length === count) told.objectIds.push(...samples);
    else told.count += count;
    const known = this.errors.get(key) ?? { channel: this.channel, reason, count: 0, samples: [], ...words };
    known.count += count;
    known.samples.push(...samples.slice(0, MAX_SAMPLES - known.samples.length));
    this.errors.set(key, known);
  }

  /** Books the vendor's verdict on one device, and keeps the verdict for a look-up of that device. */
  refuseDevice(
    kind: 'discarded' | 'failed',
    reason: Reason,
    { objectId, ...words }: { objectId: string } & VendorVerdict,
  ): void {
    const told = cut(words);
    this.refuse(kind, reason, { count: 1, samples: [objectId], ...told });
    this.verdicts.push([objectId, JSON.stringify({ channel: this.channel, outcome: kind, reason, ...told })]);
  }
}

/** They are kept for every device. */
const cut = (words: VendorVerdict): VendorVerdict => keptWords(words, MAX_NOTE_LENGTH);

/** The books as a script takes them: counters with deltas, errors, and objectIds with verdicts. */
export const BOOKS = {
  counters: 'texts',
  errors: each({ key: 'text', count: 'text', message: 'text', samples: 'text' }),
  refused: 'texts',
} as const;

export function encodeBooks(books: readonly Books[]): Values<typeof BOOKS> {
  const errors = books.flatMap(({ errors }) => [...errors]);
  return {
    counters: [...countersOf(books)].flat(),
    errors: errors.map(([key, { count, vendorMessage: message = '', samples }]) => ({
      key,
      count,
      message,
      samples: samples.join(' '),
    })),
    refused: books.flatMap(({ verdicts }) => verdicts.flat()),
  };
}

/** What became of every device, as a script takes it: a frame or '', its devices, and the bytes that a push may have of them. */
export const OUTCOMES = { outcomes: 'bytes', told: 'text', outcomeBytes: 'number' } as const;

export function encodeOutcomes(books: readonly Books[], { at, maxBytes }: Telling): Values<typeof OUTCOMES> {
  const groups = maxBytes > 0 ? books.flatMap((one) => one.groups) : [];
  return {
    outcomes: groups.length === 0 ? '' : encodeFrame({ at, groups }),
    told: devicesIn([{ at, groups }]),
    outcomeBytes: maxBytes,
  };
}

export interface Telling {
  readonly at: number;
  /** 0: nothing is told. */
  readonly maxBytes: number;
}

/** Several books may be of one channel. */
function countersOf(books: readonly Books[]): ReadonlyMap<string, number> {
  const counters = new Map<string, number>();
  for (const { channel, counts } of books) {
    for (const [name, count] of counts) {
      const field = counterField(channel, name);
      counters.set(field, (counters.get(field) ?? 0) + count);
    }
  }
  return counters;
}
