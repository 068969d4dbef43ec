import { groupBy, OWN_CHANNEL } from '@pushfleet/domain';
import { shardOf, type Keys } from './keys';
import type { MemoryGuard } from './memory-guard';
import { decodePresence, type Presence } from './presence';
import { defineScript, runScript, type RedisClient } from './redis';
import type { Rounds } from './rounds';

/** A push as the mailboxes of its devices hold it. */
export interface MailboxPush {
  readonly pushId: string;
  readonly app: string;
  /** The text of a JSON object. */
  readonly text: string;
  /** Milliseconds since the epoch; the same whenever the push is stored. */
  readonly expiresAt: number;
}

export interface MailboxWrite {
  readonly push: MailboxPush;
  readonly installationIds: readonly string[];
  /** Messages that a mailbox holds; the oldest make room for the newest. */
  readonly limit: number;
  /** Told how many messages had to make room. */
  readonly onEvicted?: ((messages: number) => void) | undefined;
}

/** One installation whose mailbox holds the push. */
export interface Stored {
  readonly installationId: string;
  /** Where the installation was connected right after its mailbox was written. */
  readonly presence: Presence | undefined;
}

export interface MailboxStore {
  /** Stores the message once and a reference to it for each installation; what had to make room counts as lapsed. */
  put(write: MailboxWrite): Promise<readonly Stored[]>;
  /** Undefined when the push expired. */
  message(pushId: string): Promise<string | undefined>;
  /** Takes references out of a mailbox. */
  remove(app: string, installationId: string, references: readonly string[]): Promise<void>;
}

/** `pushId expiresAt`: tells an expired message without a look at it. */
export const referenceOf = ({ pushId, expiresAt }: Pick<MailboxPush, 'pushId' | 'expiresAt'>): string =>
  `${pushId} ${expiresAt}`;

/**
 * Adds a reference to mailboxes of one shard and tells where each installation is connected. KEYS mailbox and presence
 * of each; ARGV reference, its life in ms, limit. Answers for each: presence, then what was evicted.
 */
const putScript = defineScript(`
local reference, life, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000
local function trim(box)
  local held = redis.call('ZRANGE', box, 0, -1)
  local extra = #held - limit
  local evicted = {}
  for _, old in ipairs(held) do
    if extra > 0 and tonumber(string.match(old, '%d+$')) < now then redis.call('ZREM', box, old); extra = extra - 1 end
  end
  for _, old in ipairs(held) do
    if extra > 0 and redis.call('ZREM', box, old) == 1 then evicted[#evicted + 1] = old; extra = extra - 1 end
  end
  return evicted
end
local out = {}
for i = 1, #KEYS, 2 do
  local box, answer = KEYS[i], {}
  if redis.call('ZADD', box, 'NX', time[1] * 1000000 + time[2], reference) == 1 then
    if redis.call('ZCARD', box) > limit then answer = trim(box) end
    if redis.call('PTTL', box) < life then redis.call('PEXPIRE', box, life) end
  end
  table.insert(answer, 1, redis.call('GET', KEYS[i + 1]) or '')
  out[#out + 1] = answer
end
return out`);

/** KEYS record; ARGV counter, count. A record that is gone stays gone. */
const countScript = defineScript(
  `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBY', KEYS[1], ARGV[1], ARGV[2]) end return 1`,
);

/** Mailboxes written by one script: others wait no longer than that for their turn. */
const PER_SCRIPT = 200;

interface Parts {
  readonly memory: MemoryGuard;
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly now: () => number;
  /** Pages of many devices come together. */
  readonly rounds: Rounds;
}

export function openMailboxes(parts: Parts): MailboxStore {
  const { redis, keys, memory } = parts;
  return {
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
  // The message first: a reference to nothing would be taken for an expired one.
  await redis.set(keys.ownMessage(push.pushId), push.text, 'PX', lifeMs, 'NX');
  const groups = [...groupBy(installationIds, shardOf).values()].flatMap(inChunks);
  const answers = await Promise.all(
    groups.map(async (ids) => {
      const found = await rounds.spend(() =>
        runScript(redis, putScript, {
          keys: ids.flatMap((id) => [keys.mailbox(push.app, id), keys.presence(push.app, id)]),
          args: [referenceOf(push), lifeMs, limit],
        }),
      );
      return (found as readonly (readonly [string, ...string[]])[]).map(([presence, ...evicted], i) => ({
        stored: { installationId: ids[i] ?? '', presence: decodePresence(presence) },
        evicted,
      }));
    }),
  );
  const evicted = answers.flat().flatMap((answer) => answer.evicted);
  onEvicted?.(evicted.length);
  await countLapsed({ redis, keys }, evicted);
  return answers.flat().map(({ stored }) => stored);
}

const inChunks = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / PER_SCRIPT) }, (_, n) => ids.slice(n * PER_SCRIPT, (n + 1) * PER_SCRIPT));

async function countLapsed({ redis, keys }: Pick<Parts, 'redis' | 'keys'>, evicted: readonly string[]): Promise<void> {
  const byPush = groupBy(evicted, (reference) => reference.split(' ')[0] ?? '');
  await Promise.all(
    [...byPush].map(([pushId, { length }]) =>
      runScript(redis, countScript, { keys: [keys.pushRecord(pushId)], args: [`c|${OWN_CHANNEL}|lapsed`, length] }),
    ),
  );
}
