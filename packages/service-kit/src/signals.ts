import { leaveOldNode } from './node-version';
import { takeSignals } from './take-signals';

leaveOldNode();

/**
 * Taken when this file is loaded, which is why `main.ts` imports it before anything else: the rest takes half a second, and a
 * signal that nobody takes ends the process at once, or as the first process of a container is lost.
 */
export const signals = takeSignals();
