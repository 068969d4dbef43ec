import { isUnreadableSecret } from '@pushfleet/store';

export type Verdict = 'ok' | 'warning' | 'problem';

/** One line of the doctor: what was looked at, what was found and, unless it is fine, what to do. */
export interface Check {
  readonly check: string;
  /** What it is about: a node, a queue, a profile; empty for the whole fleet. */
  readonly subject: string;
  /** All of them, where it is about so many that it names the first only. */
  readonly subjects?: readonly string[];
  readonly status: Verdict;
  readonly finding: string;
  readonly advice?: string;
}

type About = Pick<Check, 'check' | 'subject'>;

interface Fault {
  readonly status: Exclude<Verdict, 'ok'>;
  readonly finding: string;
  readonly advice: string;
}

export const ok = (about: About, finding: string): Check => ({ ...about, status: 'ok', finding });

export const warning = (finding: string, advice: string): Fault => ({ status: 'warning', finding, advice });
export const problem = (finding: string, advice: string): Fault => ({ status: 'problem', finding, advice });

/** The first fault that is there, or that all is well. */
export function verdict(about: About, finding: string, faults: readonly (Fault | false | undefined)[]): Check {
  const fault = faults.find((found) => found !== false && found !== undefined);
  return fault ? { ...about, ...fault } : ok(about, finding);
}

/** What stands for a secret that cannot be opened; whatever Redis itself says is nothing about keys. */
export function sealedOr<T>(error: unknown, sealed: T): T {
  if (isUnreadableSecret(error)) return sealed;
  throw error;
}
