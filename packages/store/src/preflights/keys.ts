import { families, type KeyFamily } from '../kit/key-family';

export const preflightKeys = (namespace: string) => ({
  /** Pre-flights that no dispatcher has taken yet. */
  preflightQuestions: (): string => `${namespace}:preflights`,
  /** How far one is, and its answer. */
  preflight: (id: string): string => `${namespace}:preflight:{${id}}`,
});

export type PreflightKeys = ReturnType<typeof preflightKeys>;

/** Both go by themselves, within minutes. */
export const PREFLIGHT_KEYS: readonly KeyFamily[] = families('fleet', 'stays', {
  'pre-flights that wait': 'preflights',
  'pre-flights': 'preflight:\\{[^}]+\\}',
});
