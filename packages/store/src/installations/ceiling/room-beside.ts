import type { MessagingRoom } from '../../messaging';
import { AppFull } from './app-full';
import type { Room } from './room';

/** Room for what counts among the bytes of installations and is none. */
export const roomBeside = (room: Room): MessagingRoom => ({
  take: (app, bytes) =>
    room.take(app, { installations: 0, bytes }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof AppFull) return error;
        throw error;
      },
    ),
  note: (app, growth) => room.note(app, growth),
});
