import { readJson, writeJson, type Json } from '@pushfleet/domain';
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

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins; absent on the last. */
  readonly cursor?: string;
}

export interface AuditLog {
  add(entry: AuditEntry): Promise<void>;
  read(range: { readonly limit: number; readonly cursor?: string | undefined }): Promise<AuditPage>;
}

/** About so many entries are kept, the newest ones. */
export const MAX_AUDIT_ENTRIES = 10_000;

const addEntry = luaScript('fleet/add-audit-entry', {
  params: { log: 'key', entry: 'text' },
  constants: { MAX_AUDIT_ENTRIES },
  answer: nothing,
});

export function openAuditLog({ redis, keys }: { redis: RedisClient; keys: ProcessKeys }): AuditLog {
  const key = keys.auditLog();
  return {
    add: (entry) => addEntry(redis, { log: key, entry: writeJson(entry) }),
    async read({ limit, cursor }) {
      const newest = cursor === undefined ? '+' : `(${cursor}`;
      const found = await redis.xrevrange(key, newest, '-', 'COUNT', limit);
      const entries = found.map(([, [, text = '']]) => readJson(text) as unknown as AuditEntry);
      const last = found.at(-1);
      return { entries, ...(last && found.length === limit ? { cursor: last[0] } : {}) };
    },
  };
}
