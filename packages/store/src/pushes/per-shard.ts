import DataLoader from 'dataloader';
import { groupBy } from '@pushfleet/domain';
import { shardOfPush } from '../keys';

interface OfPush {
  readonly pushId: string;
}

/** Answers in the order of the questions; an error stands for each that failed. */
type Run<Q extends OfPush, A> = (questions: readonly Q[]) => Promise<readonly (A | Error)[]>;

/** Pushes of one run: everybody else's commands wait for its end. */
const MAX_PUSHES = 64;

/** Makes one run per push shard of what is asked in one round of the event loop. */
export function perShard<Q extends OfPush, A>(run: Run<Q, A>): (question: Q) => Promise<A> {
  const loader = new DataLoader<Q, A>((questions) => runAll(run, questions), {
    cache: false,
    maxBatchSize: MAX_PUSHES,
    // Answers that come on connections of their own are dealt with in one round, but not at once.
    batchScheduleFn: (next) => void setImmediate(next),
  });
  return (question) => loader.load(question);
}

async function runAll<Q extends OfPush, A>(run: Run<Q, A>, questions: readonly Q[]): Promise<readonly (A | Error)[]> {
  const shards = [...groupBy(questions, ({ pushId }) => shardOfPush(pushId)).values()];
  if (shards.length === 1) return run(questions).catch(toAll(questions));
  const answers = new Map<Q, A | Error>();
  await Promise.all(
    shards.map(async (shard) => {
      const answered = await run(shard).catch(toAll(shard));
      shard.forEach((question, i) => answers.set(question, answered[i] as A | Error));
    }),
  );
  return questions.map((question) => answers.get(question) as A | Error);
}

const toAll =
  (questions: readonly unknown[]) =>
  (cause: unknown): readonly Error[] =>
    questions.map(() => (cause instanceof Error ? cause : new Error(String(cause))));
