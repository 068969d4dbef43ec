import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RouteBucket } from '@pushfleet/domain';

/** Shards of one app's installations, and shards of all push records. */
export const SHARDS = 256;

export const shardOf = (value: string): number => crc32(value) & (SHARDS - 1);

/** The shard that a push id carries in its last two characters. */
export const shardOfPush = (pushId: string): number => Number.parseInt(pushId.slice(-2), 16);

/** What a look-up by registrationId is kept under: twelve bytes instead of up to 512. */
export const registrationDigest = (registrationId: string): string =>
  hash('sha256', registrationId, 'base64url').slice(0, 16);

export type LookUpKind = 'installationId' | 'deviceToken' | 'registrationId';

export const lookUpField = (kind: LookUpKind, value: string): string =>
  kind === 'registrationId' ? registrationDigest(value) : value;

/** Whose calls are counted: those by the app key and those by the master key are apart. */
export type CallsBy = 'app-key' | 'master-key';

/** Every key of the store in one place; `{…}` is the hash tag that keeps a script's keys in one slot. */
export class Keys {
  constructor(readonly namespace: string) {}

  private installationShard(app: string, shard: number): string {
    return `${this.namespace}:i:{${app}:${shard}}`;
  }
  records(app: string, shard: number): string {
    return `${this.installationShard(app, shard)}:rec`;
  }
  bucket(app: string, shard: number, bucket: RouteBucket): string {
    return `${this.installationShard(app, shard)}:b:${bucket}`;
  }
  subscribers(app: string, shard: number, { bucket, channel }: { bucket: RouteBucket; channel: string }): string {
    return `${this.subscriptions(app, shard)}${bucket}:${channel}`;
  }
  /** How the keys of a shard's subscribers begin: with this and a bucket. */
  subscriptions(app: string, shard: number): string {
    return `${this.installationShard(app, shard)}:s:`;
  }
  /** The shards with subscribers of each channel, by the hash of its name. */
  channelShards(app: string, shard: number): string {
    return `${this.installationShard(app, shard)}:c`;
  }
  /** Since when a shard of a channel seems to have no subscriber any more. */
  channelDoubts(app: string, shard: number): string {
    return `${this.channelShards(app, shard)}:doubts`;
  }
  lookUp(app: string, kind: LookUpKind, value: string): { key: string; field: string } {
    const field = lookUpField(kind, value);
    return { key: this.lookUps(app, kind, shardOf(field)), field };
  }
  /** The look-ups whose fields are of one shard. */
  lookUps(app: string, kind: LookUpKind, shard: number): string {
    return `${this.installationShard(app, shard)}:l:${kind}`;
  }
  /** Ids that are about to be given up, by field: in the slot of their look-ups. */
  releases(app: string, kind: LookUpKind, shard: number): string {
    return `${this.lookUps(app, kind, shard)}:releases`;
  }
  /** Since when what was read of a record of a shard does not count any more. */
  fences(app: string, shard: number): string {
    return `${this.installationShard(app, shard)}:fences`;
  }
  buckets(app: string): string {
    return `${this.namespace}:i:{${app}}:buckets`;
  }
  /** The buckets of profiles that exist or did: they keep their names. */
  profileBuckets(app: string): string {
    return `${this.namespace}:i:{${app}}:profile-buckets`;
  }
  /** By `app bucket`: the buckets whose devices are looked through, because some of them belong to another by now. */
  bucketMoves(): string {
    return `${this.namespace}:bucket-moves`;
  }
  /** By `app channels`: how far the index of an app's channels is checked. */
  channelIndexes(): string {
    return `${this.namespace}:channel-indexes`;
  }
  /** What the installations of a shard take, in bytes. */
  installationBytes(app: string, shard: number): string {
    return `${this.installationShard(app, shard)}:bytes`;
  }
  /** Installations of a shard that the app key made and nobody confirmed, by who made them and when. */
  unconfirmed(app: string, shard: number): string {
    return `${this.installationShard(app, shard)}:new`;
  }
  /** How many installations made room for others, and when last. */
  evictions(app: string): string {
    return `${this.namespace}:i:{${app}}:evictions`;
  }
  /** Held by who sweeps the app's installations. */
  sweep(app: string): string {
    return `${this.namespace}:i:{${app}}:sweep`;
  }

  /** How the keys of every push of a shard begin: with this and its id. */
  pushPrefix(shard: number): string {
    return `${this.namespace}:p:{p:${shard}}:`;
  }
  private push(pushId: string): string {
    return `${this.pushPrefix(shardOfPush(pushId))}${pushId}`;
  }
  pushRecord(pushId: string): string {
    return this.push(pushId);
  }
  ledger(pushId: string): string {
    return `${this.push(pushId)}:ledger`;
  }
  verdicts(pushId: string): string {
    return `${this.push(pushId)}:verdicts`;
  }
  receipts(pushId: string, kind: string): string {
    return `${this.push(pushId)}:${kind}`;
  }
  openPushes(shard: number): string {
    return `${this.pushPrefix(shard)}open`;
  }
  /** Ids and sizes of the records that are kept for a while, those closed first in front. */
  closedPushes(shard: number): string {
    return `${this.pushPrefix(shard)}closed`;
  }
  requestClaim(app: string, reqId: string): string {
    return `${this.namespace}:p:{p:${shardOf(`${app}:${reqId}`)}}:req:${app}:${reqId}`;
  }
  /** The pushes that share a notification id that the sender chose. */
  notification(app: string, notificationId: string): string {
    return `${this.namespace}:n:{${app}:${notificationId}}`;
  }
  pushesOf(app: string): string {
    return `${this.namespace}:pushes:{${app}}`;
  }
  /** `number pushId` of every push that waits for its time, by that time. */
  schedule(app: string): string {
    return `${this.namespace}:schedule:{${app}}`;
  }
  scheduleCount(app: string): string {
    return `${this.namespace}:schedule:{${app}}:count`;
  }
  callsOf(app: string, by: CallsBy): string {
    return `${this.namespace}:calls:{${app}}${by === 'master-key' ? ':master' : ''}`;
  }
  /** Devices that an app reached on one day (UTC). */
  deliveries(app: string, day: string): string {
    return `${this.namespace}:deliveries:{${app}}:${day}`;
  }

  /** What every gateway needs of an installation in one step: its mailbox and where it is connected. */
  private ownShard(app: string, installationId: string): string {
    return `${this.namespace}:o:{${app}:${shardOf(installationId)}}`;
  }
  mailbox(app: string, installationId: string): string {
    return `${this.ownShard(app, installationId)}:m:${installationId}`;
  }
  presence(app: string, installationId: string): string {
    return `${this.ownShard(app, installationId)}:p:${installationId}`;
  }
  /** What a push says on the own channel. */
  ownMessage(pushId: string): string {
    return `${this.push(pushId)}:own`;
  }
  /** With `:facts` behind it, what the processes tell of themselves. */
  processes(): string {
    return `${this.namespace}:{processes}`;
  }
  /** What operators did. */
  auditLog(): string {
    return `${this.namespace}:audit-log`;
  }
  gateways(): string {
    return `${this.namespace}:gateways`;
  }
  hints(node: string): { channel: string; sequence: string } {
    const prefix = `${this.namespace}:gw:{gw:${node}}`;
    return { channel: `${prefix}:hints`, sequence: `${prefix}:sequence` };
  }

  apps(): string {
    return `${this.namespace}:apps`;
  }
  /** Apps whose data is being deleted; in the slot of the apps. */
  purges(): string {
    return `${this.namespace}:purges:{${this.apps()}}`;
  }
  /** Which format the data are of, and how far the migration to the next one is. */
  format(): string {
    return `${this.namespace}:format`;
  }
  /** What all processes agree on about the key that secrets are sealed with. */
  sealing(): string {
    return `${this.namespace}:sealing`;
  }
  /** Held by the one process that does something for all. */
  lease(name: string): string {
    return `${this.namespace}:lease:{${name}}`;
  }
  /** What the workers of a channel share. */
  private channel(channel: string): string {
    return `${this.namespace}:channel:{channel:${channel}}`;
  }
  controls(channel: string): string {
    return `${this.channel(channel)}:controls`;
  }
  breakers(channel: string): string {
    return `${this.channel(channel)}:breakers`;
  }
  pushHolds(channel: string): string {
    return `${this.channel(channel)}:push-holds`;
  }
  slowCalls(channel: string): string {
    return `${this.channel(channel)}:slow-calls`;
  }
  vendorWaits(channel: string): string {
    return `${this.channel(channel)}:vendor-waits`;
  }
  workers(channel: string): string {
    return `${this.channel(channel)}:workers`;
  }
  profilePace(
    { app, channel, profile }: Readonly<Record<'app' | 'channel' | 'profile', string>>,
    kind: string,
  ): string {
    return `${this.namespace}:pace:{pace:${channel}:${app}:${profile}}:${kind}`;
  }
  pushPace(pushId: string): string {
    return `${this.push(pushId)}:pace`;
  }

  profiles(app: string): string {
    return `${this.namespace}:profiles:{${app}}`;
  }
  accessToken(key: string): string {
    return `${this.namespace}:token:{${key}}`;
  }

  user(userId: string): string {
    return `${this.namespace}:u:{u:${userId}}`;
  }
  /** Digests of the tokens that were issued for a user. */
  tokensOf(userId: string): string {
    return `${this.user(userId)}:tokens`;
  }
  macToken(digest: string): string {
    return `${this.namespace}:mac:{${digest}}`;
  }
  /** What openids and unionids are made from, under seal. */
  accountKey(): string {
    return `${this.namespace}:account-key`;
  }
  client(clientId: string): string {
    return `${this.namespace}:client:{${clientId}}`;
  }
  /** What a MAC token signed in one period. */
  nonces(tokenId: string, period: number): string {
    return `${this.namespace}:nonce:{${tokenId}}:${period}`;
  }
  receiptSignature(digest: string): string {
    return `${this.namespace}:receipt-signature:{${digest}}`;
  }
  failures(digest: string): string {
    return `${this.namespace}:failures:{${digest}}`;
  }
}
