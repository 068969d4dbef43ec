/** A vendor's later report about one device. Unknown statuses are reported as `ignored` and change nothing. */
export interface Receipt {
  readonly kind: 'delivered' | 'clicked' | 'registration-gone' | 'notifications-off' | 'ignored';
  /** The push id, as it was handed to the vendor with the message; absent when the vendor did not return it. */
  readonly pushId?: string;
  readonly registrationId: string;
  readonly vendorStatus: string;
  /** Milliseconds since the epoch, as the vendor tells it. */
  readonly at?: number;
}
