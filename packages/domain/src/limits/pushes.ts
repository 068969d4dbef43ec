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
} as const satisfies Limits;
