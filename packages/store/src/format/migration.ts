import type { AccountKeys } from '../accounts';
import type { FormatKeys } from './keys';
import type { InstallationKeys } from '../installations';
import type { KitKeys } from '../kit/keys';
import type { RedisClient } from '../kit/redis';

export interface MigrationParts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys & FormatKeys & InstallationKeys & KitKeys;
}

/** How far a migration has come. */
export interface MigrationStep {
  /** What the next page begins behind. */
  readonly cursor: string;
  readonly done: number;
  readonly of: number;
}

/** One step from a format of the data to the next. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /** What it does, in the words of the log and of the doctor. */
  readonly name: string;
  /** The least format of a process that can work with what the migration leaves. */
  readonly accepts: number;
  /** Migrates the page behind `cursor`, '' being the first; undefined behind the last. A page that is repeated does no harm. */
  page(parts: MigrationParts, cursor: string): Promise<MigrationStep | undefined>;
}
