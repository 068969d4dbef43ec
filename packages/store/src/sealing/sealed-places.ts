import { plainJsonIn, type KeyOfApp } from '@pushfleet/domain';
import { z } from 'zod';
import { accessTokenContext, appKeyContext, profileContext, replacedKeyContext, type AccountKeys } from '../accounts';
import { ACCOUNT_KEY_CONTEXT, macKeyContext, macTokenIn, type UserKeys } from '../users';
import { replaceField } from '../kit/compare';
import { fieldsByCursor, type HashField } from '../kit/hash-fields';
import { isDone, luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { mastersOf } from '../kit/redis-settings';
import type { SecretContext } from '../kit/sealed-text';

/** A sealed text and its place. */
export interface SealedPlace {
  readonly context: SecretContext;
  readonly sealed: string;
}

/** An app by its id, or a MAC token by its key. */
interface UnreadableRecord {
  readonly kind: 'app' | 'macToken';
  readonly name: string;
}

/** A hash field or a string with secrets, which is replaced in one step. */
export interface SealedEntry {
  readonly places: readonly SealedPlace[];
  /** The record that cannot be read: it shows no places. */
  readonly unreadable?: UnreadableRecord;
  /** Replaces the sealed texts by others in the same order; false when the entry changed meanwhile. */
  replace(sealed: readonly string[]): Promise<boolean>;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys & UserKeys;
}

const replaceString = luaScript('sealing/replace-string', {
  params: { name: 'key', from: 'text', to: 'text' },
  answer: isDone,
});

const SCAN_COUNT = 1000;

/** Every sealed entry at least once, whatever changes meanwhile. */
export async function* sealedEntries(parts: Parts): AsyncGenerator<SealedEntry> {
  yield* entriesOfApps(parts);
  yield* macEntries(parts);
  yield* accountKeyEntry(parts);
  const { redis, keys } = parts;
  for await (const { key, owner, text } of stringsLike(redis, keys.accessToken('*'))) {
    const places = [{ context: accessTokenContext(owner), sealed: text }];
    yield { places, replace: ([next = '']) => replaceString(redis, { name: key, from: text, to: next }) };
  }
}

/** Any sealed text, if there is one. Access tokens of vendors do not count: they are fetched again, so they prove nothing. */
export async function firstSealed(parts: Parts): Promise<SealedPlace | undefined> {
  for (const entries of [entriesOfApps(parts), macEntries(parts), accountKeyEntry(parts)]) {
    for await (const { places } of entries) if (places[0]) return places[0];
  }
  return undefined;
}

async function* entriesOfApps(parts: Parts): AsyncGenerator<SealedEntry> {
  const { redis, keys } = parts;
  for await (const [app, text] of fieldsOf(redis, keys.apps())) {
    yield appEntry(parts, app, text);
    const key = keys.profiles(app);
    for await (const [field, sealed] of fieldsOf(redis, key)) {
      const places = [{ context: profileContext(app, field), sealed }];
      yield { places, replace: ([next = '']) => replaceField(redis, { hash: key, field, from: sealed, to: next }) };
    }
  }
}

async function* macEntries({ redis, keys }: Parts): AsyncGenerator<SealedEntry> {
  for await (const { key, text } of stringsLike(redis, keys.macToken('*'))) yield macEntry(redis, key, text);
}

async function* accountKeyEntry({ redis, keys }: Parts): AsyncGenerator<SealedEntry> {
  const key = keys.accountKey();
  const sealed = await redis.get(key);
  if (sealed === null) return;
  const places = [{ context: ACCOUNT_KEY_CONTEXT, sealed }];
  yield { places, replace: ([next = '']) => replaceString(redis, { name: key, from: sealed, to: next }) };
}

const KEYS_OF_APP = ['key', 'masterKey'] as const satisfies readonly KeyOfApp[];

/** What else a record has stays as it is. */
const storedKeysSchema = z.looseObject({
  key: z.string(),
  masterKey: z.string(),
  replacedKeys: z.array(z.looseObject({ which: z.enum(KEYS_OF_APP), sealed: z.string() })).optional(),
});

function appEntry({ redis, keys }: Parts, app: string, text: string): SealedEntry {
  const { data: stored } = storedKeysSchema.safeParse(plainJsonIn(text));
  if (!stored) return unreadableEntry({ kind: 'app', name: app });
  const { replacedKeys = [] } = stored;
  return {
    places: [
      ...KEYS_OF_APP.map((field) => ({
        context: appKeyContext(app, field),
        sealed: stored[field],
      })),
      ...replacedKeys.map(({ which, sealed }) => ({ context: replacedKeyContext(app, which), sealed })),
    ],
    replace: ([key, masterKey, ...replaced]) =>
      replaceField(redis, {
        hash: keys.apps(),
        field: app,
        from: text,
        to: JSON.stringify({
          ...stored,
          key,
          masterKey,
          ...(replacedKeys.length > 0
            ? { replacedKeys: replacedKeys.map((old, i) => ({ ...old, sealed: replaced[i] })) }
            : {}),
        }),
      }),
  };
}

const unreadableEntry = (unreadable: UnreadableRecord): SealedEntry => ({
  places: [],
  unreadable,
  replace: () => Promise.resolve(true),
});

function macEntry(redis: RedisClient, key: string, text: string): SealedEntry {
  const stored = macTokenIn(text);
  if (!stored) return unreadableEntry({ kind: 'macToken', name: key });
  return {
    places: [{ context: macKeyContext(stored), sealed: stored.sealedKey }],
    replace: ([sealedKey]) =>
      replaceString(redis, { name: key, from: text, to: JSON.stringify({ ...stored, sealedKey }) }),
  };
}

async function* fieldsOf(redis: RedisClient, key: string): AsyncGenerator<HashField> {
  for await (const fields of fieldsByCursor(redis, key, SCAN_COUNT)) yield* fields;
}

interface FoundString {
  readonly key: string;
  /** What stands between the braces of the key. */
  readonly owner: string;
  readonly text: string;
}

async function* stringsLike(redis: RedisClient, pattern: string): AsyncGenerator<FoundString> {
  const open = pattern.indexOf('{') + 1;
  for (const master of mastersOf(redis)) {
    let cursor = '0';
    do {
      const [next, names] = await master.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
      const texts = await Promise.all(names.map((name) => redis.get(name)));
      for (const [i, key] of names.entries()) {
        const text = texts[i];
        if (typeof text === 'string') yield { key, owner: key.slice(open, -1), text };
      }
      cursor = next;
    } while (cursor !== '0');
  }
}
