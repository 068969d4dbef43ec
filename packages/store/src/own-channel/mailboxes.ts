import { chunksOf, groupBy, LARGEST_MAILBOX } from '@pushfleet/domain';
import { shardOf } from '../kit/shards';
import type { OwnChannelKeys } from './keys';
import { keepText, loseMessage, type PushKeys } from '../pushes';
import type { MemoryGuard } from '../kit/memory-guard';
import { decodePresence, type Presence } from './presence';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { Rounds } from '../kit/rounds';

/** A push for the mailboxes of its devices. */
export interface MailboxPush {
  readonly pushId: string;
  readonly app: string;
  /** The text of a JSON object. */
  readonly text: string;
  /** Milliseconds since the epoch; a push that is stored again has the same. */
  readonly expiresAt: number;
}

export interface MailboxWrite {
  readonly push: MailboxPush;
  readonly installationIds: readonly string[];
  /** Messages that a mailbox holds; the oldest make room for the newest. */
  readonly limit: number;
  /** Called with the number of messages that had to make room. */
  readonly onEvicted?: ((messages: number) => void) | undefined;
}

/** One installation whose mailbox holds the push. */
export interface Stored {
  readonly installationId: string;
  /** Where the installation was connected right after its mailbox was written. */
  readonly presence: Presence | undefined;
}

/** A message that waits in a mailbox. */
interface HeldMessage {
  readonly pushId: string;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
}

export interface MailboxStore {
  /** Stores the message once and a reference to it for each installation; what had to make room counts as lapsed. */
  put(write: MailboxWrite): Promise<readonly Stored[]>;
  /** Undefined when the push expired. */
  message(pushId: string): Promise<string | undefined>;
  /** What has not expired, the oldest first. */
  held(app: string, installationId: string): Promise<readonly HeldMessage[]>;
  /** Takes references out of a mailbox. */
  remove(app: string, installationId: string, references: readonly string[]): Promise<void>;
}

/** `pushId expiresAt`: the reference of an expired message shows that it expired. One without its time has. */
export const referenceOf = ({ pushId, expiresAt }: Pick<MailboxPush, 'pushId' | 'expiresAt'>): string =>
  `${pushId} ${expiresAt}`;

export function readReference(reference: string): Pick<MailboxPush, 'pushId' | 'expiresAt'> {
  const [pushId = '', expiresAt] = reference.split(' ');
  return { pushId, expiresAt: Number(expiresAt) || 0 };
}

const putReference = luaScript('own-channel/put-reference', {
  params: { reference: 'text', lifeMs: 'number', limit: 'number', boxes: each({ mailbox: 'key', place: 'key' }) },
  answer: (answers: readonly (readonly [presence: string, ...evicted: string[]])[]) => answers,
});

/** Mailboxes that one script writes: other commands wait until the script ends. */
const PER_SCRIPT = 200;

interface Parts {
  readonly memory: MemoryGuard;
  readonly redis: RedisClient;
  readonly keys: OwnChannelKeys & PushKeys;
  readonly now: () => number;
  /** Pages of many devices come together. */
  readonly rounds: Rounds;
}

export function openMailboxes(parts: Parts): MailboxStore {
  const { redis, keys, memory, now } = parts;
  return {
    async held(app, installationId) {
      const flat = await redis.zrange(keys.mailbox(app, installationId), 0, `${LARGEST_MAILBOX - 1}`, 'WITHSCORES');
      return flat.flatMap((reference, i) => {
        const { pushId, expiresAt } = readReference(reference);
        if (i % 2 === 1 || expiresAt <= now()) return [];
        return [{ pushId, storedAt: Math.floor(Number(flat[i + 1]) / 1000) }];
      });
    },
    async put(write) {
      await memory.requireRoom('bulk');
      return put(parts, write);
    },
    message: async (pushId) => (await redis.get(keys.ownMessage(pushId))) ?? undefined,
    async remove(app, installationId, references) {
      if (references.length > 0) await redis.zrem(keys.mailbox(app, installationId), ...references);
    },
  };
}

async function put(
  { redis, keys, now, rounds }: Parts,
  { push, installationIds, limit, onEvicted }: MailboxWrite,
): Promise<readonly Stored[]> {
  const lifeMs = Math.floor(push.expiresAt - now());
  if (lifeMs <= 0) return installationIds.map((installationId) => ({ installationId, presence: undefined }));
  // The message is written first: a reference without its message counts as expired.
  await keepText({ redis, keys }, push, lifeMs);
  const groups = [...groupBy(installationIds, shardOf).values()].flatMap((ids) => chunksOf(ids, PER_SCRIPT));
  const answers = await Promise.all(
    groups.map(async (ids) => {
      const boxes = ids.map((id) => ({ mailbox: keys.mailbox(push.app, id), place: keys.presence(push.app, id) }));
      const found = await rounds.spend(() =>
        putReference(redis, { reference: referenceOf(push), lifeMs, limit, boxes }),
      );
      return found.map(([presence, ...evicted], i) => ({
        stored: { installationId: ids[i] ?? '', presence: decodePresence(presence) },
        evicted: evicted.map((reference) => ({ reference, installationId: ids[i] ?? '' })),
      }));
    }),
  );
  const evicted = answers.flat().flatMap((answer) => answer.evicted);
  onEvicted?.(evicted.length);
  await countLapsed({ redis, keys }, evicted);
  return answers.flat().map(({ stored }) => stored);
}

interface Evicted {
  readonly reference: string;
  readonly installationId: string;
}

async function countLapsed(parts: Pick<Parts, 'redis' | 'keys'>, evicted: readonly Evicted[]): Promise<void> {
  const byPush = groupBy(evicted, ({ reference }) => readReference(reference).pushId);
  const idsOf = (lost: readonly Evicted[]): readonly string[] => lost.map(({ installationId }) => installationId);
  await Promise.all(Array.from(byPush, ([pushId, lost]) => loseMessage(parts, pushId, idsOf(lost))));
}
