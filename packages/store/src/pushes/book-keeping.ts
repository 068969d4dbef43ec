import { shardOfPush, type Keys } from '../keys';
import { runScript, type RedisClient, type Script } from '../redis';
import { perShard } from './per-shard';

export interface BookKeepingParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** Life of a push record after `done`. */
  readonly retentionMs: number;
}

/** What a script shall change in one push. */
export interface Change {
  readonly pushId: string;
  readonly now: number;
  readonly wants?: readonly (string | number)[];
}

/** Runs a script that changes the books of pushes; a change that fails is rejected alone. */
export function openBookKeeping(
  { redis, keys, retentionMs }: BookKeepingParts,
  script: Script,
): (change: Change) => Promise<unknown> {
  const run = async (changes: readonly Change[]): Promise<readonly unknown[]> => {
    const args = changes.flatMap(({ pushId, now, wants = [] }) => [
      wants.length + 3,
      pushId,
      now,
      retentionMs,
      ...wants,
    ]);
    const touched = changes.flatMap(({ pushId }) => keysOf(keys, pushId));
    return (await runScript(redis, script, { keys: touched, args })) as readonly unknown[];
  };
  return perShard<Change, unknown>(run);
}

const keysOf = (keys: Keys, pushId: string): readonly string[] => [
  keys.pushRecord(pushId),
  keys.ledger(pushId),
  keys.verdicts(pushId),
  keys.openPushes(shardOfPush(pushId)),
  keys.closedPushes(shardOfPush(pushId)),
];
