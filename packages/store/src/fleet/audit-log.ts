import { isJsonObject, jsonIn, LIMITS, writeJson, type Json } from '@pushfleet/domain';
import type { ProcessKeys } from './keys';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** Something that an operator did. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The person or token that was authorised. */
  readonly by: string;
  /** The network address of the caller. */
  readonly from: string;
  /** The name of the operation in the reference of the admin API. */
  readonly action: string;
  /** The path below the root of the API. */
  readonly target: string;
  /** Values before and after, by field; never a secret. */
  readonly changes?: AuditChanges;
}

export type AuditChanges = Readonly<Record<string, readonly [before: Json, after: Json]>>;

export interface AuditSearch {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Absent: all of them. */
  readonly isWanted?: (entry: AuditEntry) => boolean;
}

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins, with the time of the entry before; absent on the last. */
  readonly cursor?: string;
  readonly lookedBackTo?: number;
}

export interface AuditLog {
  add(entry: AuditEntry): Promise<void>;
  /** As far as one request looks. */
  read(search: AuditSearch): Promise<AuditPage>;
}

/** About so many entries are kept, the newest ones. */
export const MAX_AUDIT_ENTRIES = 10_000;

const CHUNK = 200;

const addEntry = luaScript('fleet/add-audit-entry', {
  params: { log: 'key', entry: 'text' },
  constants: { MAX_AUDIT_ENTRIES },
  answer: nothing,
});

export function openAuditLog({ redis, keys }: { redis: RedisClient; keys: ProcessKeys }): AuditLog {
  const key = keys.auditLog();
  return {
    add: (entry) => addEntry(redis, { log: key, entry: writeJson(entry) }),
    async read({ limit, cursor, isWanted = () => true }) {
      const entries: AuditEntry[] = [];
      let lookedAt = 0;
      for await (const { id, entry } of entriesBehind(redis, key, cursor)) {
        lookedAt += 1;
        if (isWanted(entry)) entries.push(entry);
        if (entries.length === limit || lookedAt === LIMITS.auditEntriesLookedAt.value)
          return { entries, cursor: id, lookedBackTo: entry.at };
      }
      return { entries };
    },
  };
}

async function* entriesBehind(
  redis: RedisClient,
  key: string,
  cursor: string | undefined,
): AsyncGenerator<{ readonly id: string; readonly entry: AuditEntry }> {
  let newest = cursor === undefined ? '+' : `(${cursor}`;
  for (;;) {
    const found = await redis.xrevrange(key, newest, '-', 'COUNT', CHUNK);
    for (const [id, [, text = '']] of found) {
      yield { id, entry: entryIn(id, text) };
      newest = `(${id}`;
    }
    if (found.length < CHUNK) return;
  }
}

/** One that is damaged is told as such, in its place: a gap would hide that somebody was at it. */
function entryIn(id: string, text: string): AuditEntry {
  const entry = jsonIn(text) as Partial<AuditEntry> | undefined;
  const isWhole =
    isJsonObject(entry) && Number.isFinite(entry.at) && WORDS.every((word) => typeof entry[word] === 'string');
  if (isWhole) return entry as AuditEntry;
  return { at: Number.parseInt(id, 10), by: 'unknown', from: 'unknown', action: 'damaged', target: `entry ${id}` };
}

const WORDS = ['by', 'from', 'action', 'target'] as const;
