import { groupBy } from '@pushfleet/domain';

interface Gathering<Q, A> {
  /** What is asked of one slot is asked together. */
  readonly slotOf: (question: Q) => string | number;
  /** Answers in the order of the questions, with an error for each question that failed. */
  readonly run: (questions: readonly Q[]) => Promise<readonly (A | Error)[]>;
}

/** Questions of one run: other commands wait until the script ends. */
const MAX_QUESTIONS = 64;

interface Asked<Q, A> {
  readonly question: Q;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/** Makes one run per slot of what is asked in one round of the event loop. */
export function gathered<Q, A>({ slotOf, run }: Gathering<Q, A>): (question: Q) => Promise<A> {
  let waiting: Asked<Q, A>[] = [];
  const runAll = (): void => {
    const slots = groupBy(waiting, ({ question }) => slotOf(question));
    waiting = [];
    for (const slot of slots.values())
      for (let i = 0; i < slot.length; i += MAX_QUESTIONS) void runOne(run, slot.slice(i, i + MAX_QUESTIONS));
  };
  return (question) =>
    new Promise((resolve, reject) => {
      // Answers of several connections arrive in one round but not together: the run waits for the end of the round.
      if (waiting.push({ question, resolve, reject }) === 1) setImmediate(runAll);
    });
}

async function runOne<Q, A>(run: Gathering<Q, A>['run'], asked: readonly Asked<Q, A>[]): Promise<void> {
  try {
    const answers = await run(asked.map(({ question }) => question));
    asked.forEach(({ resolve, reject }, i) => {
      const answer = answers[i] as A | Error;
      if (answer instanceof Error) reject(answer);
      else resolve(answer);
    });
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
