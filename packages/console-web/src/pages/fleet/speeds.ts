import type { Schemas } from '../../api/client';

type Throughput = Pick<Schemas['Throughput'], 'at' | 'results'>;

/** Between the looks that a speed is told from: it follows what happens, and does not jump with every batch. */
const LOOK_BACK_MS = 30_000;

/** The looks that are kept beside a new one: the last of those before the look-back, and all since. */
export function withLook(looks: readonly Throughput[], look: Throughput): readonly Throughput[] {
  const [now, last] = [Date.parse(look.at), looks.at(-1)];
  if (last !== undefined && Date.parse(last.at) >= now) return looks;
  const old = looks.filter(({ at }) => Date.parse(at) <= now - LOOK_BACK_MS);
  return [...looks.slice(Math.max(0, old.length - 1)), look];
}

/** Devices a second by channel, from the first of the looks to the last; undefined as long as one look is all there is. */
export function speedsOf(looks: readonly Throughput[]): ReadonlyMap<string, number> | undefined {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const seconds = (Date.parse(last.at) - Date.parse(first.at)) / 1000;
  const before = new Map(first.results.map(({ channel, decided }) => [channel, decided]));
  return new Map(
    last.results.map(({ channel, decided }) => [channel, Math.max(0, decided - (before.get(channel) ?? 0)) / seconds]),
  );
}
