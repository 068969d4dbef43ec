import type { App, ChannelMessage, Discarded, Outcome } from '@pushfleet/domain';

/** One vendor call: a message for at most `maxBatch` devices. */
export interface PushBatch {
  readonly pushId: string;
  /** The same for every repeat of this batch and different for any other: feeds the vendor's idempotency key. At most 64 of `[0-9A-Za-z-]`. */
  readonly batchId: string;
  readonly message: ChannelMessage;
  readonly app: Pick<App, 'name' | 'overlong' | 'intentHost'>;
  readonly registrationIds: readonly string[];
  /** Remaining life of the push in ms, more than 0; the channel clamps it to the vendor's range. */
  readonly ttlMs: number;
  /** Where the vendor may report arrival and clicks; absent when the fleet has no public address. */
  readonly receiptUrl?: string | undefined;
}

export interface CredentialCheck {
  readonly ok: boolean;
  readonly vendorCode?: string | undefined;
  readonly vendorMessage?: string | undefined;
}

export interface ChannelSession {
  /**
   * Sends one batch. Resolves with one outcome per registrationId, in the order given; throws `ChannelFault` when the
   * vendor gave no usable answer for the whole request.
   */
  send(batch: PushBatch, signal: AbortSignal): Promise<readonly Outcome[]>;
  /** Asks the vendor whether the credentials are right, without reaching any device. */
  verify(signal: AbortSignal): Promise<CredentialCheck>;
}

/** What a device shows of a message. */
export interface ShownText {
  readonly title: string;
  readonly text: string;
}

/** A message in the vendor's words, before anybody is addressed. */
export interface MessagePreview {
  readonly kind: 'preview';
  /** Without addresses. */
  readonly bytes: number;
  /** A text is cut to the vendor's limit. */
  readonly truncated: boolean;
  /** What the record would tell about the message. */
  readonly notes: readonly string[];
  /** As the vendor gets it, cut where it is; absent where nothing is shown, or where a template of the vendor says what. */
  readonly shown?: ShownText;
}

export interface VendorSession extends ChannelSession {
  /** What `send` makes of a message, by the same builder and without a call: the message, or why no device gets it. */
  preview(batch: PushBatch): MessagePreview | Discarded;
}
