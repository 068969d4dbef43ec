/** Among the bytes of an app's installations. */
export interface MessagingRoom {
  /** Resolves with why there is no room for so many bytes, or they are taken. */
  take(app: string, bytes: number): Promise<Error | undefined>;
  /** What is there has grown by so many bytes for which none were taken, or shrunk. */
  note(app: string, growth: number): void;
}

/**
 * Takes room before it is known how much is new. Where there is none, it is written what adds nothing: `write` resolves with the
 * bytes it added, or with undefined and writes nothing when they are more than it may add.
 */
export async function withinRoom(
  room: MessagingRoom,
  { app, bytes }: { readonly app: string; readonly bytes: number },
  write: (most: number) => Promise<number | undefined>,
): Promise<void> {
  const full = await room.take(app, bytes);
  const most = full ? 0 : bytes;
  const growth = await write(most);
  if (growth === undefined) throw full ?? new Error(`more than ${bytes} bytes were to be added`);
  room.note(app, growth - most);
}
