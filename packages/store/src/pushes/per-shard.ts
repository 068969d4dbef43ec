import { gathered } from '../kit/gathered';
import { shardOfPush } from './keys';

interface OfPush {
  readonly pushId: string;
}

/** Makes one run per push shard of what is asked in one round of the event loop. */
export const perShard = <Q extends OfPush, A>(
  run: (questions: readonly Q[]) => Promise<readonly (A | Error)[]>,
): ((question: Q) => Promise<A>) => gathered({ slotOf: ({ pushId }) => shardOfPush(pushId), run });
