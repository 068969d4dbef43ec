import { COUNTED_RECEIPTS, type PushService } from '@pushfleet/domain';
import { APP, families, type KeyFamily } from '../kit/key-family';
import { shardOf } from '../kit/shards';
import { PUSH_ID } from './push-ids';

/** The shard that a push id carries in its last two characters. */
export const shardOfPush = (pushId: string): number => Number.parseInt(pushId.slice(-2), 16);

const OWN_TEXTS = 'own-texts';

/** How the keys of the pushes of a list of texts begin. */
export const pushPrefixOfTexts = (list: string): string => list.slice(0, -OWN_TEXTS.length);

export function pushKeys(namespace: string) {
  const pushPrefix = (shard: number): string => `${namespace}:p:{p:${shard}}:`;
  const push = (pushId: string): string => `${pushPrefix(shardOfPush(pushId))}${pushId}`;
  const schedule = (app: string): string => `${namespace}:schedule:{${app}}`;
  return {
    /** How the keys of every push of a shard begin: with this and its id. */
    pushPrefix,
    pushRecord: push,
    ledger: (pushId: string): string => `${push(pushId)}:ledger`,
    verdicts: (pushId: string): string => `${push(pushId)}:verdicts`,
    /** What became of every device, in frames. */
    outcomes: (pushId: string): string => `${push(pushId)}:outcomes`,
    receipts: (pushId: string, kind: string): string => `${push(pushId)}:${kind}`,
    /** What a push says on the own channel. */
    ownMessage: (pushId: string): string => `${push(pushId)}:own`,
    /** Devices whose full mailboxes lost that to newer ones. */
    ownLost: (pushId: string): string => `${push(pushId)}:own:lost`,
    pushPace: (pushId: string): string => `${push(pushId)}:pace`,
    openPushes: (shard: number): string => `${pushPrefix(shard)}open`,
    /** Ids and sizes of the records that are kept for a while, those closed first in front. */
    closedPushes: (shard: number): string => `${pushPrefix(shard)}closed`,
    /** Ids, sizes and apps of what pushes say on the own channel, the first to be stored in front. */
    ownTexts: (shard: number): string => `${pushPrefix(shard)}${OWN_TEXTS}`,
    /** What became of the devices of all pushes of a shard, since it was first counted. */
    totals: (shard: number): string => `${pushPrefix(shard)}totals`,
    /** What the app key claims keeps no push of the master key from being sent. */
    requestClaim: (app: string, reqId: string, by?: 'app-key'): string =>
      `${pushPrefix(shardOf(`${app}:${reqId}`))}req:${app}:${by === undefined ? '' : `${by}:`}${reqId}`,
    /** The newest pushes that share a notification id that the sender chose, by their time; those of the app key apart. */
    notification: (app: string, notificationId: string, by?: 'app-key'): string =>
      `${namespace}:notification:{${app}:${by === undefined ? '' : `${by}:`}${notificationId}}`,
    /** Newest last; what a service asked for has a list of its own. */
    pushesOf: (app: string, service?: PushService): string =>
      `${namespace}:pushes:{${app}}${service === undefined ? '' : `:${service}`}`,
    /** Audience pushes whose outcomes are kept, by their time. */
    outcomesOf: (app: string): string => `${namespace}:outcomes:{${app}}`,
    /** `number pushId` of every push that waits for its time, by that time. */
    schedule,
    scheduleCount: (app: string): string => `${schedule(app)}:count`,
    /** `pushId n` of every place that a push takes beside its first, by the same time. */
    furtherPlaces: (app: string): string => `${schedule(app)}:further`,
    /** Which apps have too many open pushes, for a while. */
    fullOfPushes: (): string => `${namespace}:{full-of-pushes}`,
    receiptSignature: (digest: string): string => `${namespace}:receipt-signature:{${digest}}`,
  };
}

export type PushKeys = ReturnType<typeof pushKeys>;

/** What goes with the record of a closed push, behind its id. */
export const CLOSED_PUSH_SUFFIXES: readonly string[] = [
  ...['verdicts', 'outcomes', 'own:lost'],
  ...COUNTED_RECEIPTS.flatMap((kind) => [kind, `${kind}:sketch`]),
];

/** What a push has beside its record, behind its id. */
export const PUSH_SUFFIXES: readonly string[] = ['ledger', 'own', 'pace', ...CLOSED_PUSH_SUFFIXES];

export const PUSH_KEYS: readonly KeyFamily[] = [
  ...families('app', 'name', {
    'notification ids': `notification:\\{${APP}:.*\\}`,
    'list of pushes': `pushes:\\{${APP}\\}(:rtm)?`,
    'pushes with outcomes': `outcomes:\\{${APP}\\}`,
    schedule: `schedule:\\{${APP}\\}`,
    'number of scheduled pushes': `schedule:\\{${APP}\\}:count`,
    'further places of scheduled pushes': `schedule:\\{${APP}\\}:further`,
    'req_id claims': `p:\\{p:\\d+\\}:req:${APP}:.*`,
  }),
  ...families('push', 'pushes', {
    'push records': `p:\\{p:\\d+\\}:${PUSH_ID}`,
    'beside push records': `p:\\{p:\\d+\\}:${PUSH_ID}:(${PUSH_SUFFIXES.join('|')})`,
    'open pushes': `p:\\{p:\\d+\\}:open`,
    'closed pushes': `p:\\{p:\\d+\\}:closed`,
  }),
  ...families('fleet', 'texts', { 'texts of the own channel': `p:\\{p:\\d+\\}:${OWN_TEXTS}` }),
  ...families('fleet', 'stays', {
    'signatures of receipts': 'receipt-signature:\\{[^}]+\\}',
    'apps with too many open pushes': '\\{full-of-pushes\\}',
    'totals of devices': 'p:\\{p:\\d+\\}:totals',
  }),
];
