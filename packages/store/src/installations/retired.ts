import { LIMITS, profileBucket, type DiscardReason } from '@pushfleet/domain';
import { gathered } from '../kit/gathered';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import type { InstallationKeys } from './keys';
import { versionOfText, type Reader } from './read';
import type { IndexedInstallation } from './stored';

export interface RetiredRequest {
  readonly app: string;
  /** In ms since the epoch; what was retired at that time is told as well. */
  readonly since: number;
  /** That of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A registration that was taken out of the audience because its vendor called it dead. */
export interface RetiredRegistration {
  readonly objectId: string;
  readonly channel: string;
  readonly reason: DiscardReason;
  /** In ms since the epoch, by the clock of Redis. */
  readonly at: number;
  /** What is there now; `renewed`: the device has another registration, or the retirement never came about. */
  readonly now: 'retired' | 'renewed' | 'gone';
  readonly installationId?: string;
  /** The dead one, as long as it is retired. */
  readonly registrationId?: string;
}

export interface RetiredPage {
  readonly retired: readonly RetiredRegistration[];
  /** For the next page; absent at the end. */
  readonly next?: string;
  /** Nothing that was noted since then is kept no longer. */
  readonly isComplete: boolean;
}

const { retiredKept, retiredKeptMs } = LIMITS;

const noteScript = luaScript('installations/note-retired', {
  params: { log: 'key', noted: 'texts' },
  constants: { MAX_RETIRED: retiredKept.value, KEPT_MS: retiredKeptMs.value },
  answer: nothing,
});

/** A note stands before its registration is taken out, which is over after so long. */
const TAKEN_OUT_MS = 5000;

const clockScript = luaScript('installations/retired-clock', {
  params: { log: 'key' },
  answer: (now: number) => now,
});

export interface RetiredNote {
  readonly app: string;
  readonly objectId: string;
  readonly channel: string;
}

export type NoteRetired = (note: RetiredNote) => Promise<void>;

/** Those of a page of devices are noted together. */
export const openNoteRetired = ({ redis, keys }: { redis: RedisClient; keys: InstallationKeys }): NoteRetired =>
  gathered({
    slotOf: ({ app }: RetiredNote) => app,
    async run(notes) {
      const [{ app }] = notes as readonly [RetiredNote];
      const noted = notes.map(({ objectId, channel }) => `${objectId} ${channel}`);
      await noteScript(redis, { log: keys.retired(app), noted });
      return notes.map(() => undefined);
    },
  });

/** The channel that an installation is about to be retired from. */
export const channelOf = ({ bucket, doc }: IndexedInstallation, vendors: ReadonlyMap<string, string>): string =>
  profileBucket(bucket)?.channel ?? vendors.get(String(doc['vendor'])) ?? 'unknown';

/** The only reason for which a registration is retired. */
const REASON: DiscardReason = 'registration-gone';

/** The oldest first, up to one that may be about to be taken out: told as it is now, it would never be told as it is then. */
export async function readRetired(reader: Reader, request: RetiredRequest): Promise<RetiredPage> {
  const { app, since, after, limit } = request;
  const { redis, keys } = reader;
  const log = keys.retired(app);
  const settledAt = (await clockScript(redis, { log })) - TAKEN_OUT_MS;
  const found = await redis.xrange(log, after === undefined ? since : `(${after}`, '+', 'COUNT', limit);
  const [[oldest] = ['0-0']] = await redis.xrange(log, '-', '+', 'COUNT', 1);
  // Fewer are kept only when none had to go.
  const isComplete = timeOf(oldest) <= since || (await redis.xlen(log)) < retiredKept.value;
  const noted = await Promise.all(found.map(([id, [, text = '']]) => asItIsNow(reader, app, { id, text })));
  const open = noted.findIndex(({ now, at }) => now === 'renewed' && at > settledAt);
  if (open >= 0) return { retired: noted.slice(0, open), isComplete };
  const last = found.length < limit ? undefined : found.at(-1)?.[0];
  return { retired: noted, isComplete, ...(last === undefined ? {} : { next: last }) };
}

const timeOf = (id: string): number => Number(id.slice(0, id.indexOf('-')));

async function asItIsNow(
  reader: Reader,
  app: string,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<RetiredRegistration> {
  const [objectId = '', channel = ''] = text.split(' ');
  const noted = { objectId, channel, reason: REASON, at: timeOf(id) };
  const { stored } = await versionOfText(reader, objectId, await reader.readText({ app, objectId }));
  if (!stored) return { ...noted, now: 'gone' };
  const { installationId, registrationId } = stored.doc;
  const named = typeof installationId === 'string' ? { ...noted, installationId } : noted;
  if (!stored.isRetired) return { ...named, now: 'renewed' };
  return { ...named, now: 'retired', ...(typeof registrationId === 'string' ? { registrationId } : {}) };
}
