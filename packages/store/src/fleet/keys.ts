import { families, type KeyFamily } from '../kit/key-family';

export const processKeys = (namespace: string) => ({
  /** With `:facts` behind it, what the processes tell of themselves. */
  processes: (): string => `${namespace}:{processes}`,
  /** A number that rises with every change of a setting. */
  settings: (): string => `${namespace}:{processes}:settings`,
  /** What operators did. */
  auditLog: (): string => `${namespace}:audit-log`,
});

export type ProcessKeys = ReturnType<typeof processKeys>;

export const PROCESS_KEYS: readonly KeyFamily[] = families('fleet', 'stays', {
  'processes of the fleet': '\\{processes\\}(:facts)?',
  'version of the settings': '\\{processes\\}:settings',
  'what operators did': 'audit-log',
});
