import type { Worker } from 'bullmq';
import { livingNames, nameOf } from './departed';
import { prefixOf, type QueueLocation } from './producer';

export interface ReclaimOptions {
  readonly lockMs: number;
  /** The jobs of this process. */
  readonly isHeld: (jobId: string) => boolean;
  /** Gives the jobs another time to live, where their token is this one; the answer names the others. */
  readonly extendLocks: Worker['extendJobLocks'];
}

export interface Reclaim {
  close(): Promise<void>;
}

/** How often jobs are looked for whose holder is silent. */
const LOOK_MS = 500;
/** A holder renews twice as often, while it can. */
const SILENT_MS = 1500;
/** A look keeps those of all other processes away for so long, and is over when this one looks again. */
const TURN_MS = LOOK_MS - 100;
/** Who could not judge leaves the turn to others for so long. */
const REST_MS = 1000;
/** Jobs in one look, which begins anywhere among them. */
const MOST_LOOKED_AT = 1000;

/** Between the name of the holder's connection and the rest of the token. */
const MARK = '|';

/** A lock that is taken with this token says whose it is. */
export function tokenOf({ redis }: Pick<QueueLocation, 'redis'>, token: string): string {
  const name = nameOf(redis);
  return name === undefined ? token : `${name}${MARK}${token}`;
}

interface SilentJob {
  readonly id: string;
  readonly token: string;
  readonly holder: string;
}

/**
 * Frees the jobs of processes that are gone. A lock that lapses would do so too, and would have to be short: then a process that
 * is stopped or busy for a while loses its jobs as well, and what it has in flight is done twice.
 */
export function openReclaim(location: QueueLocation, options: ReclaimOptions): Reclaim {
  // Nobody finds a process without a name among the living, itself included.
  if (nameOf(location.redis) === undefined) return { close: () => Promise.resolve() };
  let looking: Promise<void> | undefined;
  let restsUntil = 0;
  const timer = setInterval(() => {
    if (performance.now() < restsUntil) return;
    looking ??= look(location, options)
      .then((mayJudge) => void (restsUntil = mayJudge ? 0 : performance.now() + REST_MS))
      .catch(location.onError)
      .finally(() => (looking = undefined));
  }, LOOK_MS);
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}

/** The answer is false when this process may call nobody dead. */
async function look(location: QueueLocation, options: ReclaimOptions): Promise<boolean> {
  // One process looks for all: what each of them would read grows with their number, too.
  const turn = await location.redis.set(keyOf(location, 'reclaim'), '1', 'PX', TURN_MS, 'NX');
  const silent = turn === null ? [] : await silentJobs(location, options);
  if (silent.length === 0) return true;
  const living = await livingNames(location.redis);
  if (!living) return false;
  const orphans = silent.filter(({ holder }) => !living.has(holder));
  if (orphans.length > 0) await free(location, options, orphans);
  return true;
}

async function free(location: QueueLocation, options: ReclaimOptions, orphans: readonly SilentJob[]): Promise<void> {
  const [ids, tokens] = [orphans.map(({ id }) => id), orphans.map(({ token }) => token)];
  // Compares the token: a job that somebody has taken over meanwhile stays theirs.
  const kept = new Set(await options.extendLocks(ids, tokens, 1));
  const freed = ids.filter((id) => !kept.has(id));
  // The next check for stalled jobs, of whichever process, moves what is in this set and has no lock.
  if (freed.length > 0) await location.redis.sadd(keyOf(location, 'stalled'), ...freed);
}

const keyOf = (location: QueueLocation, name: string): string => `${prefixOf(location)}:${location.queue}:${name}`;

/** Jobs of others that were not renewed of late. The library keeps those that were not since its last check in a set. */
async function silentJobs(location: QueueLocation, { lockMs, isHeld }: ReclaimOptions): Promise<readonly SilentJob[]> {
  const { redis } = location;
  const candidates = (await redis.smembers(keyOf(location, 'stalled'))).filter((id) => !isHeld(id));
  const first = Math.floor(Math.random() * candidates.length);
  const ids = [...candidates.slice(first), ...candidates.slice(0, first)].slice(0, MOST_LOOKED_AT);
  if (ids.length === 0) return [];
  const batch = redis.pipeline();
  for (const id of ids) batch.get(keyOf(location, `${id}:lock`)).pttl(keyOf(location, `${id}:lock`));
  const answers = (await batch.exec()) ?? [];
  return ids.flatMap((id, i) => {
    const [[, token] = [], [, leftMs] = []] = answers.slice(2 * i, 2 * i + 2);
    if (typeof token !== 'string' || lockMs - Number(leftMs) < SILENT_MS) return [];
    const [holder, rest] = token.split(MARK);
    return holder !== undefined && rest !== undefined ? [{ id, token, holder }] : [];
  });
}
