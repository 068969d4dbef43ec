import { setTimeout as delay } from 'node:timers/promises';

/** How often what others changed meanwhile is looked at again. */
export const MAX_RACES = 20;
/** Most races are lost once. */
const AT_ONCE = 3;
const MAX_PAUSE_MS = 64;

/**
 * Before each try of a change that others may be ahead of. Those who lose to each other again and again part ways: each waits
 * for a time of its own, which grows to a second in all.
 */
export const raceOn = async (race: number): Promise<void> => {
  if (race >= AT_ONCE) await delay(Math.random() * Math.min(2 ** race, MAX_PAUSE_MS));
};

/** What one is told who lost every race. */
export const outrun = (app: string, doing: string): Error =>
  new Error(`an installation of app ${app}: changed by others ${MAX_RACES} times while it was ${doing}`);
