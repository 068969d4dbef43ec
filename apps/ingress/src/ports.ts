import { type VendorChannel } from '@pushfleet/channel-kit';
import { type EdgeLimits } from '@pushfleet/http-edge';
import { type ChannelJob, type Envelope, type Producer, type ReceiptsJob } from '@pushfleet/queues';
import { type Logger, type Tracing } from '@pushfleet/service-kit';
import { type Store } from '@pushfleet/store';
import { type IngressMetrics } from './metrics';

export interface IngressPorts {
  readonly store: Pick<
    Store,
    | 'apps'
    | 'profiles'
    | 'installations'
    | 'pushes'
    | 'schedule'
    | 'waits'
    | 'quotas'
    | 'pushRoom'
    | 'acceptPushes'
    | 'gateways'
    | 'preflights'
    | 'outcomes'
    | 'receiptSignatures'
    | 'requireReceiptRoom'
    | 'messaging'
  >;
  readonly queues: {
    readonly requests: Pick<Producer<Envelope>, 'add'>;
    /** The direct queue of a channel. */
    direct(channel: string): Pick<Producer<ChannelJob>, 'add'>;
    readonly schedule: Pick<Producer<Envelope>, 'add'>;
    readonly receipts: Pick<Producer<ReceiptsJob>, 'add'>;
  };
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly metrics: IngressMetrics;
  readonly limits: EdgeLimits;
  /** Trusted proxies in front. */
  readonly proxyHops: number;
  readonly log: Logger;
  readonly tracing: Pick<Tracing, 'mark' | 'runFor'>;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
  /** 0 allows any age. */
  readonly signMaxAgeMs: number;
  /** How long the record of an offline message is kept once it is done. */
  readonly offlineMessageRetentionMs: number;
}
