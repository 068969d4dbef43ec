import type { Reason } from '@pushfleet/domain';
import type { PushToSend } from '@pushfleet/store';
import type { BatchResult } from '../verdict';
import type { PacedPage } from './page-rates';

/** Whether and when a page may be sent. */
export type Admission =
  | {
      readonly kind: 'send';
      /** Calls of the page under way at once. */
      readonly width: number;
      /** The vendor is only being tried, by one device. */
      readonly isProbe: boolean;
      /** The push waits because of unrecognised answers: one more of them proves nothing. */
      readonly isHeld: boolean;
      /** Reports the end of each call, and resolves with what becomes of its devices; never rejects. */
      ended(result: BatchResult): Promise<BatchResult>;
      /** Reports the end of the page; never rejects. */
      end(): Promise<void>;
    }
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** No vendor shall be called. */
  | { readonly kind: 'book'; readonly reason: Reason };

export interface PageToAdmit extends Omit<PacedPage, 'push' | 'channel' | 'calls'> {
  readonly push: PushToSend;
  /** No page of the push comes behind this one on its way to the vendor. */
  readonly isLast: boolean;
}

/** A page that has not been read. */
export type PageAhead = Omit<PageToAdmit, 'devices' | 'isLast'>;
