/** The work that was under way when it was made, as a trace sees it. */
export type Mark = object;

/** Follows work through processes; while it is off, every call does nothing and costs nothing. */
export interface Tracing {
  readonly isOn: boolean;
  /** Remembers the work of now, for something that is done later for several at once. */
  mark(): Mark;
  /** Runs what is done for all of these: a part of the first one's trace, linked with the others. */
  runFor<T>(name: string, marks: readonly Mark[], run: () => Promise<T>): Promise<T>;
  /** Hands over what was seen last. */
  close(): Promise<void>;
}

const NOTHING: Mark = {};

export const NO_TRACING: Tracing = {
  isOn: false,
  mark: () => NOTHING,
  runFor: (_name, _marks, run) => run(),
  close: () => Promise.resolve(),
};
