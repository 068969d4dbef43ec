import type { MemoryGuard } from '../kit/memory-guard';
import type { RedisClient } from '../kit/redis';
import type { MessagingKeys } from './keys';
import type { MessagingRoom } from './within-room';

export interface MessagingParts {
  readonly redis: RedisClient;
  readonly keys: MessagingKeys;
  readonly memory: Pick<MemoryGuard, 'requireRoom'>;
  readonly room: MessagingRoom;
  /** Those of some installationIds that an installation has, a target or not. */
  readonly existing: (app: string, installationIds: readonly string[]) => Promise<ReadonlySet<string>>;
}
