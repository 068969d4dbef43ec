import { chunksOf } from '@pushfleet/domain';

/** A command whose answer is not read within seconds counts as lost, and a thousand answers are read for so long. */
const AT_ONCE = 50;

/** Looks at many things, some at a time; what was found is in their order. */
export async function lookAtEach<T, Found>(
  things: readonly T[],
  look: (thing: T) => Promise<Found>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const some of chunksOf(things, AT_ONCE)) found.push(...(await Promise.all(some.map(look))));
  return found;
}
