import { DAY_MS } from '../day-ms';
import { TOO_MANY } from './answers';
import { BODIES } from './bodies';
import type { Limits } from './limit';

/** Channels and indexed values that a save by the app key changes and still counts as one. */
export const CHANGES_PER_SAVE = 50;

/** What one app may do and hold. The values hold for an app that says nothing else. */
export const APPS = {
  callsPerMinute: {
    value: 600,
    unit: 'pushes',
    bounds: `Pushes in a minute with the app key, each of a batch counted; one to listed devices is counted once for every ${BODIES.pushBytes.value} bytes of its \`device_ids\`, up to a whole minute.`,
    answer: TOO_MANY,
    setting: 'limits.callsPerMinute',
  },
  masterCallsPerMinute: {
    value: 0,
    unit: 'pushes',
    bounds: 'Pushes in a minute with the master key, counted apart, and each once.',
    answer: TOO_MANY,
    setting: 'limits.masterCallsPerMinute',
  },
  savesPerSecond: {
    value: 100,
    unit: 'saves',
    bounds: `Saves in a second with the app key from one IPv4 address or IPv6 /64 network, in one process; ten seconds’ worth at once; one that changes many channels is counted once for every ${CHANGES_PER_SAVE} that it adds, removes or moves to another vendor, values of indexed columns among them, up to ten seconds’ worth.`,
    answer: TOO_MANY,
    setting: 'limits.savesPerSecond',
  },
  queriesPerSecond: {
    value: 100,
    unit: 'queries',
    bounds: 'The same for reads and queries, each counted once.',
    answer: TOO_MANY,
    setting: 'limits.queriesPerSecond',
  },
  deliveriesPerDay: {
    value: 0,
    unit: 'devices',
    bounds: 'Devices that an app reaches on one day (UTC).',
    answer: { status: 400, code: 140 },
    beyond: 'What was accepted before is booked as `quota-exceeded` for the devices that it does not reach.',
    setting: 'limits.deliveriesPerDay',
  },
  pushLifetimeMs: {
    value: 7 * DAY_MS,
    unit: 'ms',
    bounds: 'Life of a push that names no expiry.',
    beyond: 'What is not sent by then is booked as `expired`.',
    setting: 'limits.pushLifetimeMs',
  },
  installations: {
    value: 0,
    unit: 'installations',
    bounds: 'Installations of one app; where the app says nothing, `APP_INSTALLATIONS` does.',
    answer: TOO_MANY,
    beyond:
      'Unconfirmed ones make room for a new one; it is refused when there is none. One that exists is saved as before.',
    setting: 'limits.installations',
  },
  installationsShare: {
    value: 50,
    unit: '% of the maxmemory of all masters',
    bounds:
      'What the installations of one app take of Redis, about, with its mutes and the bindings of its chat clients; an app, or `APP_INSTALLATIONS_BYTES` for all, may say it in bytes.',
    answer: TOO_MANY,
    beyond: 'As for their number. Of mutes and bindings those that are new are refused.',
    setting: 'limits.installationsBytes',
  },
  openPushesShare: {
    value: 10,
    unit: '% of the maxmemory of one master',
    bounds:
      'What the pushes of one app that are not done take of all of Redis, about, once a master is 70 % full; `APP_OPEN_PUSHES_BYTES` may say it in bytes.',
    answer: TOO_MANY,
    beyond:
      'Its new pushes are refused until enough of these are done, expired or cancelled. The only app of a fleet is not.',
    setting: 'APP_OPEN_PUSHES_BYTES',
  },
  pushRecordsShare: {
    value: 25,
    unit: '% of the maxmemory of all masters',
    bounds:
      'What the records of pushes that are done take of Redis, of all apps; `PUSH_RECORDS_MAX_BYTES` may say it in bytes.',
    beyond: 'Of apps that hold more than an equal share, those that expire first go early.',
    setting: 'PUSH_RECORDS_MAX_BYTES',
  },
  ownTextsShare: {
    value: 10,
    unit: '% of the maxmemory of all masters',
    bounds:
      'What waits on the own channel takes of Redis, of all apps; `OWN_CHANNEL_TEXTS_MAX_BYTES` may say it in bytes.',
    beyond: 'Of apps that hold more than an equal share, the messages that expire first lapse early.',
    setting: 'OWN_CHANNEL_TEXTS_MAX_BYTES',
  },
  columnIndexes: {
    value: 8,
    unit: 'indexes',
    bounds: 'Columns of one app that are indexed, those among them whose index is being removed.',
    answer: { status: 409, code: 409 },
  },
  indexedItems: {
    value: 100,
    unit: 'values',
    bounds: 'Items of a list in an indexed column that its index holds one by one.',
    beyond: 'The installation is looked at for every value of the column, and found as before.',
  },
  columnNames: {
    value: 1000,
    unit: 'columns',
    bounds:
      'Columns of the installations of one app whose names are known, so that a push by one that none has is warned of.',
    beyond: 'No push of the app is warned of its columns.',
  },
  refreshBytes: {
    value: 4096,
    unit: 'bytes',
    bounds:
      'Size to which the app key may make an installation grow when the app has no bytes left; a larger one may be saved unless it grows.',
    answer: TOO_MANY,
  },
  offlinePushBytes: {
    value: 4096,
    unit: 'bytes',
    bounds: 'The setting `offlinePush`: what is pushed of offline messages that bring nothing.',
    answer: { status: 400, code: 400 },
  },
  replacedKeyMs: {
    value: 30 * DAY_MS,
    unit: 'ms',
    bounds: 'How long a key of an app may be taken beside the one that took its place.',
    answer: { status: 400, code: 400 },
  },
} as const satisfies Limits;
