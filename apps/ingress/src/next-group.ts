import type { PushShare } from './push-shares';

/** Pushes of one envelope at most; a costly one counts as many. */
export const MAX_ENVELOPE = 64;

interface Queued {
  readonly share: PushShare;
  /** 0: its account is within its share. */
  readonly standsBack: number;
}

/**
 * Takes the next group out of those that wait: in turns pushes of all accounts that are within their share, and pushes
 * of one that is beyond it. An envelope is dispatched as a whole, so that nobody's push may stand among those of a storm.
 */
export function openNextGroup<T extends Queued>(waiting: T[]): () => readonly T[] {
  let wasPrompt = false;
  return () => {
    const isPromptTurn = waiting.some(isPrompt) && (!wasPrompt || waiting.every(isPrompt));
    wasPrompt = isPromptTurn;
    if (isPromptTurn) return takeOut(waiting, isPrompt, () => 1);
    const account = waiting.find((one) => !isPrompt(one))?.share.account;
    return takeOut(waiting, (one) => !isPrompt(one) && one.share.account === account, costOfOne);
  };
}

const isPrompt = ({ standsBack }: Queued): boolean => standsBack === 0;
const costOfOne = ({ share }: Queued): number => share.cost;

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
