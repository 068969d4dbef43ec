import type { Condition, JsonObject } from '@pushfleet/domain';
import { openTurns } from '../kit/turns';

/** A condition may keep the process to itself for this long before others get their turn. */
const TURN_MS = 4;

/** One line for all that this process walks: twenty costly conditions, each with a turn in every round, would make it a long one. */
const nextTurn = openTurns({ ownMs: TURN_MS });

/** A condition of so few parts is tested without looking at the clock in between. */
const FEW_PARTS = 3;

/** The part of the process that somebody has until others get theirs. */
export interface Turn {
  isOver(): boolean;
  /** Rejects when the caller has gone. */
  pause(): Promise<void>;
}

export function openTurn(signal?: AbortSignal): Turn {
  let endsAt = performance.now() + TURN_MS;
  return {
    isOver: () => performance.now() >= endsAt,
    async pause() {
      await nextTurn();
      signal?.throwIfAborted();
      endsAt = performance.now() + TURN_MS;
    },
  };
}

/**
 * A test that lets the process breathe: a costly pattern on a long text, or hundreds of conditions on a long list, must
 * not keep a worker from renewing its locks, nor a service from answering others. It pauses between documents and within
 * one, and ends there when its caller has gone.
 */
export function inTurns(
  condition: Condition,
  signal?: AbortSignal,
  { isOver, pause }: Turn = openTurn(signal),
): (doc: JsonObject) => Promise<boolean> | boolean {
  async function inSteps(steps: ReturnType<Condition['steps']>): Promise<boolean> {
    for (;;) {
      await pause();
      const answer = advance(steps, isOver);
      if (answer !== undefined) return answer;
    }
  }

  return (doc) => {
    if (condition.parts <= FEW_PARTS && !isOver()) return condition.matches(doc);
    const steps = condition.steps(doc);
    return advance(steps, isOver) ?? inSteps(steps);
  };
}

/** The answer, or undefined when the turn is over before there is one. */
function advance(steps: ReturnType<Condition['steps']>, isOver: () => boolean): boolean | undefined {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (isOver()) return undefined;
  }
}
