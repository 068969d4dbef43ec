import type { JsonObject } from './json';

/** The channels that a document is subscribed to, each once. */
export function channelsOf(doc: JsonObject): readonly string[] {
  const channels = doc['channels'];
  return Array.isArray(channels) ? [...new Set(channels as string[])] : [];
}
