import type { Advice } from './reasons';
import type { WaitReason } from './wait-reasons';
import type { JsonObject } from './json';

/** LeanCloud push REST guide, `from-service`: a chat server asked for the push. */
export type PushService = 'rtm';
/** What a record tells as `from-service`, and is asked for by: a sender, or a chat server. */
export const FROM_SERVICES = ['push', 'rtm'] as const;

export const PUSH_STATUSES = ['scheduled', 'in-queue', 'done', 'error'] as const;
export type PushStatus = (typeof PUSH_STATUSES)[number];

/** One channel's column of the books: `matched = accepted + discarded + failed + outstanding`, after every fold. */
export interface ChannelBooks {
  /** Size of the channel's route buckets when the push was dispatched. */
  readonly expected: number;
  readonly matched: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly lapsed: number;
  readonly clicked: number;
  readonly truncated: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly outstanding: number;
}

/** Sample installations kept per error. */
export const MAX_SAMPLES = 20;
/** Devices of one push whose single verdict is kept. */
export const MAX_VERDICTS = 100_000;

export interface RecordedError {
  readonly channel: string;
  readonly reason: string;
  readonly count: number;
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
  readonly action: Advice;
  /** objectIds, at most `MAX_SAMPLES`. */
  readonly samples: readonly string[];
}

/**
 * What a channel left out of a message or changed in it, and for how many devices that took it; or that all installations were
 * read, because an index was not there.
 */
export interface RecordedWarning {
  readonly channel: string;
  readonly message: string;
  readonly count: number;
}

/** What of a push waits at the moment, for one profile of a channel. */
export interface RecordedWait {
  readonly channel: string;
  readonly profile: string;
  readonly reason: WaitReason;
  /** It goes on, or tries again, by then; the expiry where only an operator can let it go on. */
  readonly until: number;
  /** Without a verdict; of several profiles of a channel each is told all of them. */
  readonly devices: number;
}

/** The durable account of a push request. */
export interface PushRecord {
  readonly objectId: string;
  readonly app: string;
  readonly notificationId: string;
  /** What the API calls a scheduled push, counted per app. */
  readonly number?: number;
  readonly status: PushStatus;
  /** Devices that had no verdict when its sender cancelled it are booked as `cancelled`. */
  readonly isCancelled?: boolean;
  /** When that was. */
  readonly cancelledAt?: number;
  readonly prod: 'dev' | 'prod';
  /** Who asked for it; absent: a sender of pushes. */
  readonly service?: PushService;
  readonly msg: JsonObject;
  readonly where: JsonObject;
  /** The sender listed the addresses himself; `where` says only what they have in common. */
  readonly isToDevices?: boolean;
  /** `where` does not tell whom it was for: it named its devices, and their list is not kept. */
  readonly isNamed?: true;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly pushTime: number;
  readonly expiresAt: number;
  /** While a budget or the push's own pace makes devices wait. */
  readonly estimatedDoneAt?: number;
  /** Absent when nothing does, or nobody looked. */
  readonly waiting?: readonly RecordedWait[];
  readonly channels: Readonly<Record<string, ChannelBooks>>;
  readonly errors: readonly RecordedError[];
  /** More devices were refused than verdicts are kept. */
  readonly hasCutVerdicts?: true;
  /** Absent when there are none. */
  readonly warnings?: readonly RecordedWarning[];
}

export const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((a, b) => a + b, 0);

/** 0 for books that add up. */
export function imbalanceOf(books: ChannelBooks): number {
  return books.matched - books.accepted - sum(books.discarded) - sum(books.failed) - books.outstanding;
}
