import type { MasterOnly } from './app';
import { channelsOf } from './channels-of';
import { columnPathOf } from './column-path';
import { applySave } from './installation';
import type { JsonObject } from './json';

/**
 * The document after a save with the app key, which is anybody's who has the app. It leaves `valid` alone, because
 * clients send back what they once read; a device is valid again when it brings another registrationId. Columns and
 * channels that are for the master key stay as they are, and the rest of the save counts.
 */
export function applyClientSave(
  current: JsonObject,
  body: JsonObject,
  { columns, channelPrefixes }: MasterOnly,
): JsonObject {
  const barred = new Set(['valid', ...columns]);
  const allowed = Object.fromEntries(Object.entries(body).filter(([name]) => !barred.has(columnPathOf(name).column)));
  const next = withChannels(applySave(current, allowed), { current, channelPrefixes });
  if (next['valid'] !== false || !bringsRegistration(current, next)) return next;
  const { valid: _, ...again } = next;
  return again;
}

const bringsRegistration = (current: JsonObject, { registrationId }: JsonObject): boolean =>
  typeof registrationId === 'string' && registrationId !== '' && registrationId !== current['registrationId'];

interface Protection {
  readonly current: JsonObject;
  readonly channelPrefixes: readonly string[];
}

/** The client's channels, but of the protected ones those that were there before. */
function withChannels(next: JsonObject, { current, channelPrefixes }: Protection): JsonObject {
  if (channelPrefixes.length === 0) return next;
  const isProtected = (channel: string): boolean => channelPrefixes.some((prefix) => channel.startsWith(prefix));
  const before = channelsOf(current).filter(isProtected);
  const brought = channelsOf(next);
  if (before.length === 0 && !brought.some(isProtected)) return next;
  return { ...next, channels: [...brought.filter((channel) => !isProtected(channel)), ...before] };
}
