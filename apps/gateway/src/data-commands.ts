import type { Command, DataMessage } from '@pushfleet/own-protocol';

/** Of one `data` command. */
const MAX_BYTES = 64 * 1024;
/** What the frame adds to the id and the text of a message, at most. */
export const OVERHEAD_BYTES = 32;

export const bytesOf = ({ id, text }: DataMessage): number =>
  Buffer.byteLength(text) + Buffer.byteLength(id) + OVERHEAD_BYTES;

/** As few commands as hold the messages, in their order. */
export function dataCommands(messages: readonly DataMessage[]): readonly Command[] {
  const commands: DataMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const { id, text } = message;
    const bytes = bytesOf(message);
    if (bytes > room) {
      commands.push([]);
      room = MAX_BYTES;
    }
    commands.at(-1)?.push({ id, text });
    room -= bytes;
  }
  return commands.map((batch) => ({ cmd: 'data', service: 0, messages: batch }));
}
