import type { PushKeys } from './keys';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { NAMES, RECORD } from './record-fields';

export interface WaitingPush {
  readonly pushId: string;
  readonly channel: string;
  readonly devicesPerSecond: number;
  readonly now: number;
}

export interface EstimateStore {
  /** Notes when a push that waits will be done on one channel, by the devices that are left. */
  note(push: WaitingPush): Promise<void>;
}

const noteEstimate = luaScript('pushes/note-estimate', {
  params: { record: 'key', channel: 'text', devicesPerMs: 'number', now: 'number' },
  constants: NAMES,
  answer: nothing,
});

export function openEstimates({ redis, keys }: { redis: RedisClient; keys: PushKeys }): EstimateStore {
  return {
    note: ({ pushId, channel, devicesPerSecond, now }) =>
      noteEstimate(redis, { record: keys.pushRecord(pushId), channel, devicesPerMs: devicesPerSecond / 1000, now }),
  };
}

/** By channel. */
export function estimatesIn(text: string): ReadonlyMap<string, number> {
  const estimates = text.split(' ').filter((estimate) => estimate !== '');
  return new Map(
    estimates.map((estimate) => {
      const at = estimate.indexOf('=');
      return [estimate.slice(0, at), Number(estimate.slice(at + 1))];
    }),
  );
}

/** When a push will be done, by the fields of its record; absent when the push does not wait or the estimate has passed. */
export function estimateIn(
  fields: Readonly<Record<string, string>>,
  now: number,
): { readonly estimatedDoneAt?: number } {
  if (fields[RECORD.status] !== 'in-queue' || fields[RECORD.cancelled] !== undefined) return {};
  const at = Math.max(0, ...estimatesIn(fields[RECORD.estimates] ?? '').values());
  return at > now ? { estimatedDoneAt: at } : {};
}
