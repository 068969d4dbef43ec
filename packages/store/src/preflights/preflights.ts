import { readJson, writeJson } from '@pushfleet/domain';
import { Cluster } from 'ioredis';
import type { MemoryGuard } from '../kit/memory-guard';
import type { RedisClient } from '../kit/redis';
import type { PreflightKeys } from './keys';
import type { PreflightQuestion, PreflightState } from './question';

/** Questions that wait at most: more would be answered when nobody listens any more, and each may be as large as a push. */
const MAX_WAITING = 100;
/** A question that no dispatcher took by then is not answered. */
const UNTAKEN_MS = 60_000;
/** How long a dispatcher waits for a question before it asks again, in seconds: less than a command may take. */
const PATIENCE_S = 2;
const AFTER_ERROR_MS = 1000;

/** Pushes that are planned and not sent: asked by whoever has a caller, answered by the dispatchers. */
export interface Preflights {
  /** False when too many wait; throws `RedisFull` where a push would not be taken either. */
  ask(question: PreflightQuestion): Promise<boolean>;
  /** Undefined: it was never asked, or its answer is gone. */
  state(id: string): Promise<PreflightState | undefined>;
  tell(id: string, state: PreflightState, lifeMs: number): Promise<void>;
  /** Whoever waited has the answer. */
  forget(id: string): Promise<void>;
  /** Takes questions, one after the other, on a connection of its own until the returned function is called. */
  listen(listener: PreflightListener): () => void;
}

export interface PreflightListener {
  /** Resolves when the next one may be taken. */
  onQuestion(question: PreflightQuestion): Promise<void>;
  onError(error: unknown): void;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: PreflightKeys;
  readonly memory: MemoryGuard;
}

export function openPreflights(parts: Parts): Preflights {
  const { redis, keys, memory } = parts;
  const tell: Preflights['tell'] = async (id, state, lifeMs) =>
    void (await redis.set(keys.preflight(id), writeJson(state), 'PX', lifeMs));
  return {
    async ask(question) {
      await memory.requireRoom('request');
      const { id, app, isExact } = question;
      const waiting = keys.preflightQuestions();
      if ((await redis.llen(waiting)) >= MAX_WAITING) return false;
      if (isExact) await tell(id, { kind: 'waiting', app }, UNTAKEN_MS);
      await redis.rpush(waiting, writeJson(question));
      await redis.pexpire(waiting, UNTAKEN_MS);
      return true;
    },
    async state(id) {
      const text = await redis.get(keys.preflight(id));
      return text === null ? undefined : (readJson(text) as unknown as PreflightState);
    },
    tell,
    forget: async (id) => void (await redis.del(keys.preflight(id))),
    listen: (listener) => listen(parts, listener),
  };
}

/** A command that waits holds up all others of its connection. */
function listen({ redis, keys }: Parts, { onQuestion, onError }: PreflightListener): () => void {
  const waiter =
    redis instanceof Cluster
      ? redis.duplicate([], { enableOfflineQueue: true })
      : redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
  waiter.on('error', onError);
  let isStopped = false;
  const takeNext = async (): Promise<void> => {
    const taken = await waiter.blpop(keys.preflightQuestions(), PATIENCE_S);
    if (taken) await onQuestion(readJson(taken[1]) as unknown as PreflightQuestion);
  };
  void (async () => {
    while (!isStopped) {
      try {
        await takeNext();
      } catch (error) {
        // The connection was closed under the waiting command.
        if (isStopped) return;
        onError(error);
        await new Promise((resolve) => setTimeout(resolve, AFTER_ERROR_MS).unref());
      }
    }
  })();
  return () => {
    isStopped = true;
    waiter.disconnect();
  };
}
