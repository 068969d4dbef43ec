import type { NewPush } from '@pushfleet/store';

/** Pushes of one envelope at most; a costly one counts as many. */
export const MAX_ENVELOPE = 64;

interface Queued {
  readonly push: Pick<NewPush, 'app'>;
  /** Of the share of its app. */
  readonly cost: number;
  /** 0: its app is within its share. */
  readonly standsBack: number;
}

/**
 * Takes the next group out of those that wait: in turns pushes of all apps that are within their share, and pushes of one
 * app that is beyond it. An envelope is dispatched as a whole, so that nobody's push may stand among those of a storm.
 */
export function openNextGroup<T extends Queued>(waiting: T[]): () => readonly T[] {
  let wasPrompt = false;
  return () => {
    const isPromptTurn = waiting.some(isPrompt) && (!wasPrompt || waiting.every(isPrompt));
    wasPrompt = isPromptTurn;
    if (isPromptTurn) return takeOut(waiting, isPrompt, () => 1);
    const app = waiting.find((one) => !isPrompt(one))?.push.app;
    return takeOut(waiting, (one) => !isPrompt(one) && one.push.app === app, costOfOne);
  };
}

const isPrompt = ({ standsBack }: Queued): boolean => standsBack === 0;
const costOfOne = ({ cost }: Queued): number => cost;

/** At least one. */
function takeOut<T>(waiting: T[], isMeant: (one: T) => boolean, cost: (one: T) => number): readonly T[] {
  const group: T[] = [];
  const others: T[] = [];
  let room = MAX_ENVELOPE;
  for (const one of waiting) {
    if (isMeant(one) && room > 0) {
      group.push(one);
      room -= cost(one);
    } else others.push(one);
  }
  waiting.splice(0, waiting.length, ...others);
  return group;
}
