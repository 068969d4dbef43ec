import { chunksOf } from '@pushfleet/domain';

/**
 * Answers of Redis that are worked on before others have their turn: a few milliseconds. A command whose answer is not read within
 * seconds counts as lost, and a thousand answers are read for so long.
 */
const AT_ONCE = 50;

/** Does the same for many, some at a time, so that whoever asks for a thousand records holds up nobody; answers are in their order. */
export async function fewAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (const some of chunksOf(items, AT_ONCE)) done.push(...(await Promise.all(some.map(work))));
  return done;
}
