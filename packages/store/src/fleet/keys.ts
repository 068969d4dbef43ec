import { families, type KeyFamily } from '../kit/key-family';

export const processKeys = (namespace: string) => ({
  /** With `:facts` behind it, what the processes tell of themselves. */
  processes: (): string => `${namespace}:{processes}`,
  /** What operators did. */
  auditLog: (): string => `${namespace}:audit-log`,
});

export type ProcessKeys = ReturnType<typeof processKeys>;

export const PROCESS_KEYS: readonly KeyFamily[] = families('fleet', 'stays', {
  'processes of the fleet': '\\{processes\\}(:facts)?',
  'what operators did': 'audit-log',
});
