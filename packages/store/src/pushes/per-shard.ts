import { gathered } from '../kit/gathered';
import { shardOfPush } from './keys';

interface OfPush {
  readonly pushId: string;
}

/** Gathers the questions of one round of the event loop into one run per push shard. */
export const perShard = <Q extends OfPush, A>(
  run: (questions: readonly Q[]) => Promise<readonly (A | Error)[]>,
): ((question: Q) => Promise<A>) => gathered({ slotOf: ({ pushId }) => shardOfPush(pushId), run });
