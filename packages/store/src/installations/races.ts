import { setTimeout as delay } from 'node:timers/promises';

/** What a try ends with when somebody else changed the record in between. */
export const RACED = 'raced';

export interface Contest {
  readonly app: string;
  /** By which those of this process know that they change the same record; absent: it has no name yet. */
  readonly record: string | undefined;
  /** For the error: `saved`. */
  readonly doing: string;
}

/** Tries until it is no race any more; `lost` are the races before. Throws when there were too many. */
export type UntilWritten = <T>(
  contest: Contest,
  attempt: (lost: number) => Promise<T | typeof RACED>,
) => Promise<Exclude<T, typeof RACED>>;

/** How often what others changed meanwhile is looked at again, and for how long at least: a slow machine loses as many races by chance. */
const MAX_RACES = 20;
const RACES_MS = 10_000;
/** Races that are lost by chance, and tries that share round trips. Who loses more has many beside it, who all look at once again. */
const FEW_RACES = 3;
const LONGEST_PAUSE_MS = 200;

const pauseMs = (lost: number): number => Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** lost);

/** Lets those who want to change one record at once come one after the other: of this process in their order, of others by chance. */
export function openUntilWritten(racesMs = RACES_MS): UntilWritten {
  const inOrder = openOrder();
  return async <T>({ app, record, doing }: Contest, attempt: (lost: number) => Promise<T | typeof RACED>) => {
    type Result = Exclude<T, typeof RACED>;
    for (let lost = 0; lost < FEW_RACES; lost += 1) {
      const result = await attempt(lost);
      if (result !== RACED) return result as Result;
    }
    return inOrder(record === undefined ? undefined : `${app} ${record}`, async () => {
      const begunAt = performance.now();
      let lost = FEW_RACES;
      for (; lost < MAX_RACES || performance.now() - begunAt < racesMs; lost += 1) {
        await delay(pauseMs(lost));
        const result = await attempt(lost);
        if (result !== RACED) return result as Result;
      }
      throw new Error(`an installation of app ${app}: changed by others ${lost} times while it was ${doing}`);
    });
  };
}

/** Runs what concerns one record after what was asked for before it. */
function openOrder() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(record: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (record === undefined) return work();
    const run = (last.get(record) ?? Promise.resolve()).then(work, work);
    last.set(record, run);
    const forget = (): void => {
      if (last.get(record) === run) last.delete(record);
    };
    run.then(forget, forget);
    return run;
  };
}
