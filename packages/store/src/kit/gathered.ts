import DataLoader from 'dataloader';
import { groupBy } from '@pushfleet/domain';

interface Gathering<Q, A> {
  /** What is asked of one slot is asked together. */
  readonly slotOf: (question: Q) => string | number;
  /** Answers in the order of the questions, with an error for each question that failed. */
  readonly run: (questions: readonly Q[]) => Promise<readonly (A | Error)[]>;
}

/** Questions of one run: other commands wait until the script ends. */
const MAX_QUESTIONS = 64;

/** Makes one run per slot of what is asked in one round of the event loop. */
export function gathered<Q extends object, A>(gathering: Gathering<Q, A>): (question: Q) => Promise<A> {
  const loader = new DataLoader<Q, A>((questions) => runAll(gathering, questions), {
    cache: false,
    maxBatchSize: MAX_QUESTIONS,
    // Answers of several connections arrive in one round but not together: the batch waits for the end of the round.
    batchScheduleFn: (next) => void setImmediate(next),
  });
  return (question) => loader.load(question);
}

async function runAll<Q extends object, A>(
  { slotOf, run }: Gathering<Q, A>,
  questions: readonly Q[],
): Promise<readonly (A | Error)[]> {
  const slots = [...groupBy(questions, slotOf).values()];
  const [only] = slots;
  if (only && slots.length === 1) return run(only).catch(toAll(only));
  const answers = new Map<Q, A | Error>();
  await Promise.all(
    slots.map(async (slot) => {
      const answered = await run(slot).catch(toAll(slot));
      slot.forEach((question, i) => answers.set(question, answered[i] as A | Error));
    }),
  );
  return questions.map((question) => answers.get(question) as A | Error);
}

const toAll =
  (questions: readonly unknown[]) =>
  (cause: unknown): readonly Error[] =>
    questions.map(() => (cause instanceof Error ? cause : new Error(String(cause))));
