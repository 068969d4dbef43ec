import { ACCOUNT_KEYS } from '../accounts';
import { FORMAT_KEYS } from '../format';
import { INSTALLATION_KEYS } from '../installations';
import type { KeyFamily } from '../kit/key-family';
import { KIT_KEYS } from '../kit/keys';
import { MESSAGING_KEYS } from '../messaging';
import { OWN_CHANNEL_KEYS } from '../own-channel';
import { PACING_KEYS } from '../pacing';
import { PEOPLE_KEYS } from '../people';
import { PREFLIGHT_KEYS } from '../preflights';
import { PROCESS_KEYS } from '../fleet';
import { PUSH_KEYS } from '../pushes';
import { SEALING_KEYS } from '../sealing';
import { USER_KEYS } from '../users';

/** Every key that the store writes; each room says how its own go. */
export const KEY_FAMILIES: readonly KeyFamily[] = [
  ...[ACCOUNT_KEYS, FORMAT_KEYS, INSTALLATION_KEYS, KIT_KEYS, MESSAGING_KEYS, OWN_CHANNEL_KEYS, PACING_KEYS],
  ...[PEOPLE_KEYS, PREFLIGHT_KEYS, PROCESS_KEYS, PUSH_KEYS, SEALING_KEYS, USER_KEYS],
].flat();

export interface FoundFamily {
  readonly family: KeyFamily;
  /** Absent where the name of the key tells no app. */
  readonly app: string | undefined;
}

/** Undefined for a key of the queues or of another program. */
export function familyOf(namespace: string, key: string): FoundFamily | undefined {
  if (!key.startsWith(`${namespace}:`)) return undefined;
  const rest = key.slice(namespace.length + 1);
  for (const family of KEY_FAMILIES) {
    const match = family.pattern.exec(rest);
    if (match) return { family, app: match.groups?.['app'] };
  }
  return undefined;
}
