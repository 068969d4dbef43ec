import { countInstallations } from './count-installations';
import type { Migration } from './migration';

/** Every step, each from where the one before it ends: a new format is a new row. */
export const MIGRATIONS: readonly [Migration, ...Migration[]] = [countInstallations];

/** Of data that were written before they told their format. */
export const UNMARKED_FORMAT = 1;
/** Of what this version writes. */
export const FORMAT = MIGRATIONS.reduce((_, { to }) => to, UNMARKED_FORMAT);
