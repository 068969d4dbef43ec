import { BAD_QUERY } from './answers';
import type { Limits } from './limit';

/** What one app's pushes may take of everybody's time. */
export const PUSHES = {
  promptPushesPerSecond: {
    value: 100,
    unit: 'pushes a second',
    bounds:
      'Pushes of one app that are dispatched in the order in which they come; one to an audience that neither a channel nor an indexed column with few devices narrows counts as four.',
    beyond: 'They are taken when none of another app that is within its share waits.',
  },
  promptPushBurst: {
    value: 256,
    unit: 'pushes',
    bounds: 'The same at once.',
    beyond: 'They are taken when none of another app that is within its share waits.',
  },
  outcomeBytes: {
    value: 128 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'What became of every device of the pushes of one app to audiences; a device takes about 25 bytes. Pushes that name their devices, or have few, count among the records.',
    beyond: 'That of the oldest pushes goes, and a push keeps no more than that; `complete` is false then.',
    setting: 'OUTCOME_BYTES',
  },
  outcomePage: {
    value: 1000,
    unit: 'devices',
    bounds: 'Outcomes in one page of `GET /1.1/notifications/:id/devices`.',
    answer: BAD_QUERY,
  },
} as const satisfies Limits;
