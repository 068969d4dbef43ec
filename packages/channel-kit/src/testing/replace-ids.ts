import { replaceKey } from '../text';

/** What a channel may write for the id by which a device replaces a notification. */
const writingsOf = (id: number): readonly string[] => [String(id), id.toString(36)];

/** Whether a request or a message of any vendor bears the id under which a push takes the place of an earlier one. */
export function bearsReplaceId(text: string, push: Parameters<typeof replaceKey>[0]): boolean {
  const words = new Set(text.split(/[^0-9a-z]+/i));
  return writingsOf(replaceKey(push)).some((word) => words.has(word));
}
