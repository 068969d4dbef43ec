import type { ChannelMessage } from '@pushfleet/domain';

/**
 * Cuts text to at most `max` Unicode code points, ending in `…` when something was lost.
 */
export function fit(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  const points = Array.from(text);
  if (points.length <= max) return { text, truncated: false };
  return { text: `${points.slice(0, max - 1).join('')}…`, truncated: true };
}

interface Replacing {
  readonly pushId: string;
  readonly message: Pick<ChannelMessage, 'group'>;
}

/**
 * A positive 31-bit integer: the notification id by which a repeat replaces the first on the device, and a message of a group the
 * one before.
 */
export function replaceKey({ pushId, message: { group = pushId } }: Replacing): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < group.length; i += 1) hash = Math.imul(hash ^ group.charCodeAt(i), 0x01000193);
  return ((hash >>> 1) % 0x7ffffffe) + 1;
}
