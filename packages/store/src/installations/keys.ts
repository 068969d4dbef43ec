import type { RouteBucket } from '@pushfleet/domain';
import type { AccountKeys } from '../accounts';
import { APP, families, type KeyFamily } from '../kit/key-family';
import { registrationDigest } from '../kit/registration-digest';
import { shardOf } from '../kit/shards';
import type { MessagingKeys } from '../messaging';
import type { OwnChannelKeys } from '../own-channel';

export type LookUpKind = 'installationId' | 'deviceToken' | 'registrationId';

export const lookUpField = (kind: LookUpKind, value: string): string =>
  kind === 'registrationId' ? registrationDigest(value) : value;

export function installationKeys(namespace: string) {
  const shardKey = (app: string, shard: number): string => `${namespace}:i:{${app}:${shard}}`;
  const appKey = (app: string): string => `${namespace}:i:{${app}}`;
  const subscriptions = (app: string, shard: number): string => `${shardKey(app, shard)}:s:`;
  const channelShards = (app: string, shard: number): string => `${shardKey(app, shard)}:c`;
  const lookUps = (app: string, kind: LookUpKind, shard: number): string => `${shardKey(app, shard)}:l:${kind}`;
  return {
    records: (app: string, shard: number): string => `${shardKey(app, shard)}:rec`,
    bucket: (app: string, shard: number, bucket: RouteBucket): string => `${shardKey(app, shard)}:b:${bucket}`,
    subscribers: (app: string, shard: number, { bucket, channel }: { bucket: RouteBucket; channel: string }): string =>
      `${subscriptions(app, shard)}${bucket}:${channel}`,
    /** How the keys of a shard's subscribers begin: with this and a bucket. */
    subscriptions,
    /** The shards with subscribers of each channel, by the hash of its name. */
    channelShards,
    /** Since when a shard of a channel seems to have no subscriber any more. */
    channelDoubts: (app: string, shard: number): string => `${channelShards(app, shard)}:doubts`,
    lookUp(app: string, kind: LookUpKind, value: string): { key: string; field: string } {
      const field = lookUpField(kind, value);
      return { key: lookUps(app, kind, shardOf(field)), field };
    },
    /** The look-ups whose fields are of one shard. */
    lookUps,
    /** Ids that are about to be given up, by field: in the slot of their look-ups. */
    releases: (app: string, kind: LookUpKind, shard: number): string => `${lookUps(app, kind, shard)}:releases`,
    /** Since when what was read of a record of a shard does not count any more. */
    fences: (app: string, shard: number): string => `${shardKey(app, shard)}:fences`,
    buckets: (app: string): string => `${appKey(app)}:buckets`,
    /** The buckets of profiles that exist or did: they keep their names. */
    profileBuckets: (app: string): string => `${appKey(app)}:profile-buckets`,
    /** By `app bucket`: the buckets whose devices are looked through, because some of them belong to another by now. */
    bucketMoves: (): string => `${namespace}:bucket-moves`,
    /** By `app channels`: how far the index of an app's channels is checked. */
    channelIndexes: (): string => `${namespace}:channel-indexes`,
    /** Values of an indexed column in a shard, each with an installation that has it. */
    column: (app: string, shard: number, column: string): string => `${shardKey(app, shard)}:v:${column}`,
    /** The generation of the app's columns that a shard has seen. */
    columnStamp: (app: string, shard: number): string => `${shardKey(app, shard)}:columns`,
    /** By `app columns`: the columns that are indexed, and how far. */
    columnIndexes: (): string => `${namespace}:column-indexes`,
    /** What would have spared walks of the app, by the columns. */
    walkedColumns: (app: string): string => `${appKey(app)}:walked-columns`,
    /** The app's own columns, each with when it was noted. */
    columnNames: (app: string): string => `${appKey(app)}:column-names`,
    /** What the installations of a shard take, in bytes. */
    installationBytes: (app: string, shard: number): string => `${shardKey(app, shard)}:bytes`,
    /** Installations of a shard that the app key made and nobody confirmed, by who made them and when. */
    unconfirmed: (app: string, shard: number): string => `${shardKey(app, shard)}:new`,
    /** How many installations made room for others, and when last. */
    evictions: (app: string): string => `${appKey(app)}:evictions`,
    /** Registrations that vendors called dead, by when. */
    retired: (app: string): string => `${appKey(app)}:retired`,
    /** There for as long as the app's installations count as swept. */
    sweep: (app: string): string => `${appKey(app)}:sweep`,
    /** By `app kept` and `app ending`: how many installations are stale, and removed soon, by the last sweep. */
    unseen: (): string => `${namespace}:unseen-installations`,
  };
}

/**
 * The names of buckets are read beside those of the profiles, a mailbox goes with the last who has its id, and what a chat server
 * has the app keep counts for its ceiling.
 */
export type InstallationKeys = ReturnType<typeof installationKeys> &
  Pick<AccountKeys, 'profiles'> &
  Pick<MessagingKeys, 'muted' | 'bindingBytes'> &
  Pick<OwnChannelKeys, 'mailbox'>;

export const INSTALLATION_KEYS: readonly KeyFamily[] = [
  ...families('app', 'installations', {
    'installation records': `i:\\{${APP}:\\d+\\}:rec`,
    'installation index': `i:\\{${APP}:\\d+\\}:b:.*`,
    subscriptions: `i:\\{${APP}:\\d+\\}:s:.*`,
    'shards of channels': `i:\\{${APP}:\\d+\\}:c`,
    'doubts about shards of channels': `i:\\{${APP}:\\d+\\}:c:doubts`,
    'bytes of installations': `i:\\{${APP}:\\d+\\}:bytes`,
    'unconfirmed installations': `i:\\{${APP}:\\d+\\}:new`,
    'look-ups': `i:\\{${APP}:\\d+\\}:l:[A-Za-z]+`,
    'ids about to be given up': `i:\\{${APP}:\\d+\\}:l:[A-Za-z]+:releases`,
    'fenced installations': `i:\\{${APP}:\\d+\\}:fences`,
  }),
  ...families('app', 'name', {
    'bucket names': `i:\\{${APP}\\}:buckets`,
    'buckets of profiles': `i:\\{${APP}\\}:profile-buckets`,
    'values of indexed columns': `i:\\{${APP}:\\d+\\}:v:[A-Za-z]\\w*`,
    'seen generations of columns': `i:\\{${APP}:\\d+\\}:columns`,
    'columns of walks': `i:\\{${APP}\\}:walked-columns`,
    'names of columns': `i:\\{${APP}\\}:column-names`,
    'evicted installations': `i:\\{${APP}\\}:evictions`,
    'retired registrations': `i:\\{${APP}\\}:retired`,
    'recent sweep': `i:\\{${APP}\\}:sweep`,
  }),
  ...families('fleet', 'fields', {
    'devices that change their bucket': 'bucket-moves',
    'checks of channel indexes': 'channel-indexes',
    'indexed columns': 'column-indexes',
    'installations that nobody saw for long': 'unseen-installations',
  }),
];
