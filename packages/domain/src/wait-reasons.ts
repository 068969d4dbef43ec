import type { ReasonText } from './reasons';

/** Why what is left of a push is not done yet. */
export const WAIT_TEXTS = {
  paused: { means: 'An operator paused the channel.', remedy: 'Resume the channel.' },
  draining: {
    means: 'An operator drains the channel: pushes accepted before that are sent, this one waits.',
    remedy: 'Resume the channel when what it was drained for is done.',
  },
  'breaker-open': {
    means: 'The vendor failed again and again; one call at a time tries whether it is back.',
    remedy: 'Nothing, if the vendor is down. Else check the way out of the network.',
  },
  'unrecognised-answer': {
    means: 'The vendor answers with a code that nobody knows; the push is held before more devices meet it.',
    remedy:
      'Look the code up at the vendor, then resume the channel or cancel the push. After an hour it goes on by itself.',
  },
  throttled: {
    means: 'The vendor asked for a pause; on the own channel, Redis is nearly full.',
    remedy: 'Nothing: it goes on by itself. On the own channel, give Redis more memory.',
  },
  'quota-exceeded': {
    means: 'The allowance of the profile at its vendor is used up until the vendor counts anew.',
    remedy: 'Nothing, or raise the allowance at the vendor.',
  },
  retrying: {
    means: 'The vendor could not be reached, or gave no usable answer; these devices are tried again.',
    remedy: 'Nothing: it goes on by itself. If it lasts, check the way out of the network and the state of the vendor.',
  },
  'budget-spent': {
    means: 'The rate or the daily budget of the profile, or the pace of the push itself, makes the rest wait.',
    remedy: 'Nothing, or raise the budget.',
  },
  'under-way': { means: 'The vendor was called and has not answered yet.', remedy: 'Nothing.' },
} as const satisfies Record<string, ReasonText>;

export type WaitReason = keyof typeof WAIT_TEXTS;

export const WAIT_REASONS = Object.keys(WAIT_TEXTS) as readonly WaitReason[];
