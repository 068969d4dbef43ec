import { DAY_MS } from '../day-ms';
import { INVALID, THRESHOLD, TOO_LARGE, UNAVAILABLE } from './answers';
import { DEVICE_CONNECTIONS } from './device-connections';
import type { Limits } from './limit';

const OFFLINE_CLIENTS = 500;
const SUBSCRIBED_DEVICES = 10;

/** What a chat server may say at once, and what is kept for it. */
export const MESSAGING = {
  clientIdCharacters: {
    value: 64,
    unit: 'characters',
    bounds: 'A client id: letters, digits, `_` and `-`, the first of them no digit.',
    answer: { status: 400, code: 4103 },
  },
  conversationIdCharacters: {
    value: 128,
    unit: 'characters',
    bounds: 'The id of a conversation: letters, digits, `_`, `-`, `.` and `:`.',
    answer: { status: 400, code: 111 },
  },
  offlineClients: {
    value: OFFLINE_CLIENTS,
    unit: 'client ids',
    bounds: 'Receivers of one offline message.',
    answer: THRESHOLD,
  },
  offlineMessageBytes: {
    value: 5 * 1024,
    unit: 'bytes',
    bounds: 'An offline message with its `push_data`.',
    answer: THRESHOLD,
  },
  offlineMessageBodyBytes: {
    value: 128 * 1024,
    unit: 'bytes',
    bounds: 'Body of an offline message with its receivers, quotes and escapes included; of a mute as well.',
    answer: TOO_LARGE,
  },
  mentionedClients: {
    value: 20,
    unit: 'client ids',
    bounds: 'Clients that an offline message mentions.',
    answer: THRESHOLD,
  },
  offlineClientsUnindexed: {
    value: 16,
    unit: 'client ids',
    bounds:
      'The same while channels of devices count for the app and their index is not known to be whole, as for ten minutes after an upgrade.',
    answer: UNAVAILABLE,
  },
  subscribedDevices: {
    value: SUBSCRIBED_DEVICES,
    unit: 'devices',
    bounds: 'Devices of one client that count because they saved its id among their channels.',
    beyond: 'Those that were saved last count, and the answer warns.',
  },
  subscribersLookedAt: {
    value: 64,
    unit: 'devices',
    bounds: 'The same, as far as it is looked who was saved last.',
    beyond: 'None of them counts, and the answer warns: a client id is the id of one person.',
  },
  subscriberLookUps: {
    value: OFFLINE_CLIENTS * SUBSCRIBED_DEVICES,
    unit: 'look-ups',
    bounds:
      'Look-ups of one offline message for devices that saved client ids among their channels: one for each client and each shard that has such devices of it, or had them until lately.',
    beyond: `Clients with the most are left out, and the answer warns; never one whose id no more than ${SUBSCRIBED_DEVICES} devices have saved.`,
  },
  mutedClients: {
    value: 500,
    unit: 'client ids',
    bounds: 'Clients that have muted one conversation, and those of one call.',
    answer: THRESHOLD,
  },
  boundInstallationIdBytes: {
    value: DEVICE_CONNECTIONS.loginIdBytes.value,
    unit: 'bytes',
    bounds:
      'The installationId that a client is bound to, without white space: as long as one that a device logs in with.',
    answer: INVALID,
  },
  installationsOfClient: {
    value: 10,
    unit: 'installations',
    bounds: 'Installations that one client is bound to.',
    beyond: 'The one that was bound the longest ago makes room.',
  },
  boundWithoutInstallationMs: {
    value: 90 * DAY_MS,
    unit: 'ms',
    bounds: 'How long a binding is kept whose installation does not exist, from the daily sweep that first misses it.',
    beyond: 'It ends; until then the installation is bound again when it is saved anew.',
  },
} as const satisfies Limits;
