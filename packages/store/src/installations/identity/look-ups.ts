import { randomBytes } from 'node:crypto';
import { gathered } from '../../kit/gathered';
import { each } from '../../kit/lua/params';
import { luaScript } from '../../kit/lua/script';
import { lookUpField, type InstallationKeys } from '../keys';
import { shardOf } from '../../kit/shards';
import type { RedisClient } from '../../kit/redis';
import { togetherOn } from '../together';
import type { Id } from './ids';

/** What is asked of the look-up of one id, in the name of one record. */
export type LookUpStep = {
  readonly app: string;
  readonly id: Id;
  readonly objectId?: string;
} & (
  | {
      /** `point` is for ids that several may have: it leads to the record from now on. */
      readonly step: 'look' | 'claim' | 'point';
      readonly token?: never;
      readonly isForGood?: never;
    }
  | {
      readonly step: 'leave' | 'give-up';
      /** Of the release that begins or ends. A release without a name of its own could end one that began behind a claim. */
      readonly token: string;
      /** Nobody is to have the id: what waits for its device on the own channel goes as well. */
      readonly isForGood?: boolean;
    }
);

export interface LookedUp {
  /** The objectId that the look-up names behind the step; '' for nobody. */
  readonly owner: string;
  /** Behind `leave`: of the release that began, or that others began and nobody ended. */
  readonly token: string;
  /** By the clock of Redis, in seconds. */
  readonly at: number;
}

export type AskLookUp = (step: LookUpStep) => Promise<LookedUp>;

/** A mark that went only makes a release fail. */
const RELEASE_MS = 60_000;

const lookUps = luaScript('installations/look-ups', {
  params: {
    steps: each({
      step: 'text',
      lookUps: 'key',
      releases: 'key',
      field: 'text',
      objectId: 'text',
      token: 'text',
      mailboxes: 'keys',
    }),
  },
  constants: { RELEASE_MS },
  answer: ([at, ...pairs]: readonly [string, ...string[]]): readonly LookedUp[] =>
    pairs.flatMap((owner, i) => (i % 2 === 0 ? [{ owner, token: pairs[i + 1] ?? '', at: Number(at) }] : [])),
});

const fieldOf = ({ kind, value }: Id): string => lookUpField(kind, value);

/** Steps that are asked for together share a round trip. */
export function openLookUps({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
}): AskLookUp {
  const together = togetherOn(redis);
  /** A mailbox stands in the slot of the look-up. */
  const mailboxesOf = ({ app, id: { kind, value }, isForGood = false }: LookUpStep): readonly string[] =>
    isForGood && kind === 'installationId' ? [keys.mailbox(app, value)] : [];
  return gathered({
    slotOf: ({ app, id }: LookUpStep) => together(app, shardOf(fieldOf(id))),
    run: (asked) =>
      lookUps(redis, {
        steps: asked.map((one) => {
          const { app, step, id, objectId = '', token = '' } = one;
          const field = fieldOf(id);
          const shard = shardOf(field);
          const places = { lookUps: keys.lookUps(app, id.kind, shard), releases: keys.releases(app, id.kind, shard) };
          return { step, ...places, field, objectId, token, mailboxes: mailboxesOf(one) };
        }),
      }),
  });
}

/** Tells a release from one that was begun anew, after it was ended by a claim. */
export const newReleaseToken = (): string => randomBytes(6).toString('base64url');
