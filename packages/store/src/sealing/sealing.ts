import { setTimeout as delay } from 'node:timers/promises';
import type { AccountKeys } from '../accounts';
import type { SealingKeys } from './keys';
import type { UserKeys } from '../users';
import type { RedisClient } from '../kit/redis';
import { BRIEF_MS } from '../kit/remember-briefly';
import { sealedEntries, type SealedEntry, type SealedPlace } from './sealed-places';
import { isUnreadableSecret, partsOf, type SecretContext } from '../kit/sealed-text';
import { withoutKey, type SecretKeys } from './secret-box';
import type { LastReseal, ResealProgress, SealingPhase, StoredState } from './sealing-state';

/** How many secrets of one kind are sealed in one way. */
export interface SealedCount {
  readonly kind: Exclude<SecretContext['kind'], 'sentinel'>;
  readonly keyId: string;
  /** `unknown`: no process with the keys of this one can open them. */
  readonly key: 'current' | 'previous' | 'unknown';
  readonly isBound: boolean;
  readonly count: number;
}

export interface SealingProgress {
  readonly keyId: string;
  /** The key that the fleet seals with; it differs from `keyId` until everything is sealed anew. */
  readonly writes: string;
  readonly phase: SealingPhase;
  readonly reseal: ResealProgress | undefined;
  readonly last: LastReseal | undefined;
  /** Which of the two cannot be read. */
  readonly damaged: StoredState['damaged'];
}

export interface SealingStatus extends SealingProgress {
  readonly counts: readonly SealedCount[];
  /** Secrets that sealing anew would rewrite. */
  readonly stale: number;
  readonly unreadable: number;
  /** Apps whose records cannot be read: their secrets are not counted, and stay as they are. */
  readonly unreadableApps: readonly string[];
  /** The same of MAC tokens, by their keys in Redis. */
  readonly unreadableMacTokens: readonly string[];
}

/** The keys that secrets are sealed with: proven before a process serves, and replaced for all secrets at once. */
export interface Sealing {
  /** Throws `WrongSecretKey` unless this process has the key that the fleet seals with. */
  prove(): Promise<void>;
  /** How far sealing anew is, without a look at the secrets. */
  progress(): Promise<SealingProgress>;
  /** Looks at every secret. */
  status(): Promise<SealingStatus>;
  /** From now on every process seals with the key of this one, and binds what it seals to its place. */
  beginReseal(): Promise<void>;
  /** False when nothing is under way, or not with the key of this process. */
  mustReseal(): Promise<boolean>;
  /** Seals anew every text of another key or without its place, until none is left or until `stopping`. Any process may go on. */
  reseal(stopping: AbortSignal): Promise<void>;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys & SealingKeys & UserKeys;
  readonly secrets: SecretKeys;
  readonly now: () => number;
}

/** After this time every process knows which key to seal with. */
const LEARNED_MS = 2 * BRIEF_MS;
/** Entries rewritten at once, and between two notes of the progress. */
const AT_ONCE = 50;
/** Other processes seal with the new key meanwhile: after a few passes there is nothing left to do. */
const MAX_PASSES = 20;

export function openSealing(parts: Parts): Sealing {
  const { secrets, now } = parts;
  let surveying: Promise<SealingStatus> | undefined;
  return {
    prove: async () => void (await secrets.agreedNow()),
    progress: () => progressOf(parts),
    status() {
      surveying ??= survey(parts).finally(() => (surveying = undefined));
      return surveying;
    },
    async beginReseal() {
      const { phase, stored } = await secrets.agreedNow();
      if (stored.reseal && stored.writes === secrets.current.id) return;
      const { current, state } = secrets;
      const next = phase === 'old' ? 'both' : phase;
      const at = now();
      const nothing = { startedAt: at, updatedAt: at, done: 0, total: 0, rewritten: 0, passes: 0 };
      await state.begin(current.id, secrets.sentinel(next), nothing);
    },
    async mustReseal() {
      const { stored } = await secrets.agreedNow();
      return stored.reseal !== undefined && stored.writes === secrets.current.id;
    },
    reseal: (stopping) => reseal(parts, stopping),
  };
}

/** Of a process without a key, which has nothing to prove. */
export const NO_SEALING: Sealing = {
  prove: () => Promise.resolve(),
  progress: withoutKey,
  status: withoutKey,
  beginReseal: withoutKey,
  mustReseal: withoutKey,
  reseal: withoutKey,
};

async function progressOf({ secrets }: Parts): Promise<SealingProgress> {
  const { stored, phase } = await secrets.agreedNow();
  const { writes, reseal: progress, last, damaged } = stored;
  return { keyId: secrets.current.id, writes, phase, reseal: progress, last, damaged };
}

async function survey({ secrets, ...parts }: Parts): Promise<SealingStatus> {
  const progress = await progressOf({ secrets, ...parts });
  const counts = new Map<string, { -readonly [K in keyof SealedCount]: SealedCount[K] }>();
  const damaged = { app: [] as string[], macToken: [] as string[] };
  let [stale, unreadable] = [0, 0];
  for await (const { places, unreadable: record } of sealedEntries(parts)) {
    if (record) damaged[record.kind].push(record.name);
    for (const place of places) {
      const { context, sealed } = place;
      const { keyId, hasContext } = partsOf(sealed);
      const kind = context.kind as SealedCount['kind'];
      const key = keyId === secrets.current.id ? 'current' : secrets.holds(keyId) ? 'previous' : 'unknown';
      const name = `${kind} ${keyId} ${hasContext}`;
      const known = counts.get(name);
      if (known) known.count += 1;
      else counts.set(name, { kind, keyId, key, isBound: hasContext, count: 1 });
      if (key !== 'unknown' && !isStale(secrets, sealed)) continue;
      if (await isReadable(secrets, place)) stale += 1;
      else unreadable += 1;
    }
  }
  const named = { unreadableApps: damaged.app, unreadableMacTokens: damaged.macToken };
  return { ...progress, counts: [...counts.values()], stale, unreadable, ...named };
}

/** What was altered, or stands where it does not belong, is never sealed anew. */
async function isReadable(secrets: SecretKeys, { context, sealed }: SealedPlace): Promise<boolean> {
  try {
    await secrets.open(sealed, context);
    return true;
  } catch (error) {
    if (isUnreadableSecret(error)) return false;
    throw error;
  }
}

function isStale({ current }: SecretKeys, sealed: string): boolean {
  const { keyId, hasContext } = partsOf(sealed);
  return keyId !== current.id || !hasContext;
}

async function reseal(parts: Parts, stopping: AbortSignal): Promise<void> {
  const { secrets, now } = parts;
  const { stored } = await secrets.agreedNow();
  const begun = stored.reseal;
  if (!begun || stored.writes !== secrets.current.id) return;
  await delay(LEARNED_MS, undefined, { signal: stopping }).catch(() => undefined);
  const { stale, unreadable, counts } = await survey(parts);
  const total = counts.reduce((all, { count }) => all + count, 0);
  const run = new Run(parts, { ...begun, total, done: 0 });
  let left = stale;
  for (let pass = 0; left > 0 && pass < MAX_PASSES && !stopping.aborted; pass += 1) left = await run.pass(stopping);
  if (stopping.aborted || left > 0) return;
  const { current, state } = secrets;
  const { rewritten } = run.progress;
  await state.end(current.id, secrets.sentinel('required'), {
    keyId: current.id,
    endedAt: now(),
    rewritten,
    unreadable,
  });
  await secrets.agreedNow();
}

class Run {
  constructor(
    private readonly parts: Parts,
    public progress: ResealProgress,
  ) {}

  /** Resolves with the number of texts that had to be sealed anew; texts that no key opens stay. */
  async pass(stopping: AbortSignal): Promise<number> {
    this.note({ done: 0, passes: this.progress.passes + 1 });
    let found = 0;
    let waiting: SealedEntry[] = [];
    for await (const entry of sealedEntries(this.parts)) {
      if (stopping.aborted) return found;
      waiting.push(entry);
      if (waiting.length < AT_ONCE) continue;
      found += await this.rewriteAll(waiting);
      waiting = [];
    }
    return found + (await this.rewriteAll(waiting));
  }

  private async rewriteAll(entries: readonly SealedEntry[]): Promise<number> {
    const rewritten = await Promise.all(entries.map((entry) => this.rewrite(entry)));
    const places = entries.reduce((all, entry) => all + entry.places.length, 0);
    const count = rewritten.reduce((all, one) => all + one, 0);
    this.note({ done: this.progress.done + places, rewritten: this.progress.rewritten + count });
    await this.parts.secrets.state.note(this.progress);
    return count;
  }

  private note(change: Partial<ResealProgress>): void {
    this.progress = { ...this.progress, ...change, updatedAt: this.parts.now() };
  }

  private async rewrite({ places, replace }: SealedEntry): Promise<number> {
    const { secrets } = this.parts;
    if (!places.some(({ sealed }) => isStale(secrets, sealed) && secrets.holds(partsOf(sealed).keyId))) return 0;
    const next = await Promise.all(places.map((place) => this.sealAnew(place)));
    const changed = next.filter((sealed, i) => sealed !== places[i]?.sealed).length;
    // Another process has written the entry meanwhile; the next pass checks it.
    await replace(next);
    return changed;
  }

  private async sealAnew({ context, sealed }: SealedPlace): Promise<string> {
    const { secrets } = this.parts;
    if (!isStale(secrets, sealed)) return sealed;
    try {
      return await secrets.seal(await secrets.open(sealed, context), context);
    } catch (error) {
      if (isUnreadableSecret(error)) return sealed;
      throw error;
    }
  }
}
