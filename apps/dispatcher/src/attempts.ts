import type { Logger } from '@pushfleet/service-kit';
import { isRedisAway } from '@pushfleet/store';

/** Periodic work that has its turn with one app, push, channel or list after the other. */
type Round = (typeof ROUNDS)[number];

const ROUNDS = [
  'watch',
  'sweep',
  'outcomes',
  'records',
  'buckets',
  'channel-indexes',
  'column-indexes',
  'drains',
  'purge',
] as const;

/** Whose turn it is. */
type Turn =
  | { readonly app: string; readonly shard?: number }
  | { readonly apps: readonly string[] }
  | { readonly channel: string; readonly app?: string | undefined }
  | { readonly pushId: string }
  | { readonly kept: 'texts' | 'records' };

/** Undefined when the work of a turn failed: that is told, and the others have their turns. That Redis is away ends the round. */
export type Attempt = <T>(turn: Turn, work: () => Promise<T>) => Promise<T | undefined>;
export type Attempts = (round: Round) => Attempt;

export const openAttempt =
  (onFailure: (error: unknown, turn: Turn) => void): Attempt =>
  async (turn, work) => {
    try {
      return await work();
    } catch (error) {
      if (isRedisAway(error)) throw error;
      onFailure(error, turn);
      return undefined;
    }
  };

interface Parts {
  readonly metrics: { readonly failedTurns: { inc(labels: { kind: Round }, count?: number): void } };
  readonly log: Pick<Logger, 'error'>;
}

export function openAttempts({ metrics: { failedTurns }, log }: Parts): Attempts {
  // From 0 on, so that an alert sees the first failure rise.
  for (const kind of ROUNDS) failedTurns.inc({ kind }, 0);
  return (kind) =>
    openAttempt((err, turn) => {
      failedTurns.inc({ kind });
      log.error({ err, round: kind, ...turn }, 'periodic work failed for one, and goes on with the others');
    });
}
