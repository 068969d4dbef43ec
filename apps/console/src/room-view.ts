import type { RoomOfApp } from '@pushfleet/store';

/** As the admin API shows it: no ceiling is null. */
export function roomView({ ceiling, lastEvictedAt, ...room }: RoomOfApp) {
  const shown = (limit: number): number | null => (limit === Infinity ? null : limit);
  return {
    ...room,
    ceiling: { installations: shown(ceiling.installations), bytes: shown(ceiling.bytes) },
    ...(lastEvictedAt === undefined ? {} : { lastEvictedAt: new Date(lastEvictedAt).toISOString() }),
  };
}
