import { INVALID, THRESHOLD, TOO_LARGE } from './answers';
import type { Limits } from './limit';

/** What one installation may hold. What is stored beyond a limit may be saved again unless it grows. */
export const INSTALLATIONS = {
  installationBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'An installation as JSON.',
    answer: TOO_LARGE,
  },
  installationFields: {
    value: 500,
    unit: 'fields',
    bounds: 'Fields of an installation, those of the service included.',
    answer: THRESHOLD,
  },
  installationLevels: {
    value: 32,
    unit: 'levels',
    bounds: 'Lists and objects within each other in an installation.',
    answer: INVALID,
    beyond: 'One that was stored deeper is shown and matched with null in the place of what is too deep.',
  },
  channels: {
    value: 1000,
    unit: 'channels',
    bounds: 'Channels that an installation is subscribed to.',
    answer: THRESHOLD,
  },
  channelBytes: {
    value: 32 * 1024,
    unit: 'bytes of channel names',
    bounds: 'Names of all channels of an installation together.',
    answer: TOO_LARGE,
  },
  fieldNameCharacters: {
    value: 128,
    unit: 'characters',
    bounds: 'Name of a field of an installation.',
    answer: { status: 400, code: 105 },
  },
  channelNameCharacters: {
    value: 255,
    unit: 'characters',
    bounds: 'Name of a channel.',
    answer: { status: 400, code: 112 },
  },
  namedIdCharacters: {
    value: 512,
    unit: 'characters',
    bounds: 'An installationId or objectId in a push that names its devices.',
    answer: INVALID,
  },
  registrationIdBytes: {
    value: 512,
    unit: 'bytes',
    bounds: 'A registrationId.',
    answer: INVALID,
    beyond:
      'That is for a parameter, as of `/push/devices`. A save leaves the field out, warns in the log and stores the rest.',
  },
} as const satisfies Limits;
