import type { ChannelDeps, VendorChannel } from '@pushfleet/channel-kit';
import type { EdgeLimits } from '@pushfleet/http-edge';
import type { Logger } from '@pushfleet/service-kit';
import type { RedisFacts, Store } from '@pushfleet/store';
import type { ConsoleMetrics } from './metrics';
import type { LivePace } from './live/live-pace';
import type { Oidc } from './people/oidc/open-oidc';
import type { PushApi } from './push-api';
import type { Queues } from './queues';

/** Everything the admin API needs from outside. */
export interface ConsolePorts {
  readonly adminToken: string;
  readonly sessions: SessionSettings;
  /** Absent where people sign in with passwords only. */
  readonly oidc: Oidc | undefined;
  readonly limits: EdgeLimits;
  /** The folder of what browsers get; looked at when the first one asks. */
  readonly pages: string;
  /** Trusted proxies in front of the fleet. */
  readonly proxyHops: number;
  readonly store: Pick<
    Store,
    | 'apps'
    | 'profiles'
    | 'audit'
    | 'auditLog'
    | 'countOpenWork'
    | 'deviceTotals'
    | 'installations'
    | 'people'
    | 'pushes'
    | 'quotas'
    | 'outcomes'
    | 'pacing'
    | 'processes'
    | 'settings'
    | 'format'
    | 'users'
    | 'waits'
    | 'clients'
    | 'macTokens'
    | 'sealing'
    | 'purges'
    | 'presence'
    | 'gateways'
    | 'mailboxes'
    | 'receipts'
  >;
  readonly channels: ReadonlyMap<string, VendorChannel>;
  /** How a profile's credentials are tried out on its vendor. */
  readonly vendors: ChannelDeps & { readonly timeoutMs: number };
  readonly live: LivePace;
  /** How long a change of settings waits for the processes of the fleet to know it. */
  readonly settlingMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** An installation that was not updated for so long is no target. */
  readonly staleAfterMs: number;
  /** One that is no target is removed so long after its last update, or after its import. */
  readonly deleteAfterMs: number;
  readonly redisFacts: () => Promise<readonly RedisFacts[]>;
  readonly queues: Pick<Queues, 'depths' | 'health'>;
  /** Without trailing slash; absent when the fleet has no public address. */
  readonly ingressUrl: string | undefined;
  /** Takes, plans and cancels pushes. */
  readonly pushApi: PushApi;
  readonly metrics: ConsoleMetrics;
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
}

export interface SessionSettings {
  /** Without a request for so long, a session is over. */
  readonly idleMs: number;
  /** Whatever its requests. */
  readonly lifeMs: number;
  /** SECRET_KEY, and the one before it. */
  readonly secretKeys: readonly [string, ...string[]];
  /** Whether an owner may ask for a link that signs in whoever opens it: in the demo. */
  readonly hasLinks: boolean;
}
