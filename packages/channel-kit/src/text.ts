/**
 * Cuts text to at most `max` Unicode code points, ending in `…` when something was lost.
 */
export function fit(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  const points = Array.from(text);
  if (points.length <= max) return { text, truncated: false };
  return { text: `${points.slice(0, max - 1).join('')}…`, truncated: true };
}

/** A positive 31-bit integer derived from an id: the notification id by which a repeat replaces the first on the device. */
export function replaceKey(pushId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < pushId.length; i += 1) hash = Math.imul(hash ^ pushId.charCodeAt(i), 0x01000193);
  return ((hash >>> 1) % 0x7ffffffe) + 1;
}
