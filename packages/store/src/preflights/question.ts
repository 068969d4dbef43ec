import type { DiscardReason, JsonObject } from '@pushfleet/domain';
import type { PushToSend } from '../pushes';

/** How the devices of one profile are handed to its vendor. */
export interface PreflightWay {
  readonly pageDevices: number;
  /** Devices of one call. */
  readonly maxBatch: number;
}

/** A push that is planned and not sent. */
export interface PreflightQuestion {
  readonly id: string;
  readonly app: string;
  readonly push: Pick<PushToSend, 'content' | 'audience' | 'pushTime' | 'expiresAt'>;
  /** By `channel/profile`. */
  readonly ways: Readonly<Record<string, PreflightWay>>;
  /** Every device of an audience that has to be walked is looked at; without it, a sample is. */
  readonly isExact: boolean;
  /** From then on nobody waits for the answer any more. */
  readonly until: number;
  /** What its asker needs to make an answer of the counts, whoever of them is asked for it. */
  readonly frame: JsonObject;
}

/** Devices that share a fate. */
export interface PreflightCount {
  readonly channel: string;
  /** Absent where no profile is asked. */
  readonly profile?: string;
  readonly matched: number;
  /** Of them, those that nothing speaks against that is known of a device. */
  readonly sendable: number;
  readonly discarded: Readonly<Partial<Record<DiscardReason, number>>>;
  /** Calls of the vendor that carry these devices. */
  readonly calls: number;
  /** Each number of devices is so far from the true one at most, in 95 of 100 samples; 0: it is exact. */
  readonly margin: number;
}

export interface PreflightCounts {
  readonly counts: readonly PreflightCount[];
  /** The devices are addressed one by one and go ahead of campaigns. */
  readonly isDirect: boolean;
  /** Why no device was looked for. */
  readonly problem?: string;
  /** Columns whose indexes would have answered where all installations are read. */
  readonly index?: readonly string[];
}

/** How far a pre-flight is. */
export type PreflightState =
  | { readonly kind: 'waiting'; readonly app: string }
  | { readonly kind: 'walking'; readonly app: string; readonly lookedAt: number }
  | { readonly kind: 'counted'; readonly app: string; readonly counts: PreflightCounts; readonly frame: JsonObject }
  | {
      readonly kind: 'failed';
      readonly app: string;
      /** Why it was not begun, in words for its asker; absent when it was, or by a dispatcher of an earlier version. */
      readonly refusal?: string;
    };
