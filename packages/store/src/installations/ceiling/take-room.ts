import { channelsOf, LIMITS } from '@pushfleet/domain';
import { encodeInstallation, type StoredInstallation } from '../stored';
import { bytesOf } from './bytes-of';
import type { Room } from './room';

export interface Versions {
  /** Absent: there is none yet. */
  readonly old: StoredInstallation | undefined;
  readonly next: StoredInstallation;
  readonly isClient: boolean;
}

const REFRESH_BYTES = LIMITS.refreshBytes.value;

/**
 * What is new needs room, and so does what the app key makes much larger: that is no mere refresh. Resolves with the bytes that
 * were taken for what exists.
 */
export async function takeRoom(
  room: Pick<Room, 'take'>,
  app: string,
  { old, next, isClient }: Versions,
): Promise<number> {
  if (old && !isClient) return 0;
  const size = sizeOf(next);
  if (!old) {
    await room.take(app, { installations: 1, bytes: size });
    return 0;
  }
  const growth = size > REFRESH_BYTES ? size - sizeOf(old) : 0;
  if (growth <= 0) return 0;
  await room.take(app, { installations: 0, bytes: growth });
  return growth;
}

const sizeOf = (stored: StoredInstallation): number =>
  bytesOf(encodeInstallation(stored, undefined), { channels: channelsOf(stored.doc) });
