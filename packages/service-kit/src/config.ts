import type { Environment } from './secret-files';

/** What every role reads its settings from. */
export const processEnv = (): Environment => process.env;
