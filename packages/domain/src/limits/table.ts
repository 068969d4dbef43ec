import { APPS } from './apps';
import { BODIES } from './bodies';
import { DEVICE_CONNECTIONS } from './device-connections';
import { INSTALLATIONS } from './installations';
import type { Limits } from './limit';
import { MESSAGING } from './messaging';
import { PEOPLE } from './people';
import { PUSHES } from './pushes';
import { QUERIES } from './queries';

/** Every limit by its name. A new one is a row in the file of its area; the document follows. */
export const LIMITS = {
  ...BODIES,
  ...INSTALLATIONS,
  ...APPS,
  ...PUSHES,
  ...QUERIES,
  ...DEVICE_CONNECTIONS,
  ...PEOPLE,
  ...MESSAGING,
} as const satisfies Limits;

/** The sections of `docs/limits.md`. */
export const LIMIT_AREAS: readonly { readonly title: string; readonly limits: Limits }[] = [
  { title: 'Bodies', limits: BODIES },
  { title: 'Installations', limits: INSTALLATIONS },
  { title: 'Apps', limits: APPS },
  { title: 'Pushes', limits: PUSHES },
  { title: 'Queries and conditions', limits: QUERIES },
  { title: 'Messages to people who are offline', limits: MESSAGING },
  { title: 'Connections of devices', limits: DEVICE_CONNECTIONS },
  { title: 'People and tokens of the console', limits: PEOPLE },
];
