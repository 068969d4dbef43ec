import { type AccountKeys, openPurgeBook, type PurgeList } from '../accounts';
import type { KitKeys } from '../kit/keys';
import type { InstallationKeys } from '../installations';
import type { OwnChannelKeys } from '../own-channel';
import type { PushKeys } from '../pushes';
import type { RedisClient } from '../kit/redis';
import { PurgeRound, type Deletion, type RoundRun } from './purge-round';

export interface PurgeRun extends RoundRun {
  /** Called where nobody could read how far the deletion of an app was: it begins anew. */
  readonly onUnreadable: (app: string, error: unknown) => void;
}

export interface Purges extends PurgeList {
  /**
   * Takes the deletions of apps one pass further, or through the rest of a pass that was cut off; one that has to wait is left out.
   * Resolves with the apps whose deletions have ended. A deletion may be cut off anywhere, and any process may go on with it.
   */
  run(apps: readonly string[], run: PurgeRun): Promise<readonly string[]>;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys & KitKeys & InstallationKeys & OwnChannelKeys & PushKeys;
  readonly now: () => number;
}

export function openPurges(parts: Parts): Purges {
  const book = openPurgeBook(parts);
  return {
    list: book.list,
    get: book.get,
    async run(apps, run) {
      const deletions: Deletion[] = [];
      for (const app of apps) {
        const onUnreadable = (error: unknown): void => run.onUnreadable(app, error);
        const progress = await book.goOn(app, { now: parts.now(), onUnreadable });
        if (progress) deletions.push({ app, progress });
      }
      return new PurgeRound({ ...parts, book }, run, deletions).toItsEnd();
    },
  };
}
