import { DAY_MS } from '../day-ms';
import { BAD_QUERY, THRESHOLD, TOO_MANY } from './answers';
import type { Limits } from './limit';

/** What one app's pushes may take of everybody's time. */
export const PUSHES = {
  promptPushesPerSecond: {
    value: 100,
    unit: 'pushes a second',
    bounds:
      'Pushes of one app by one of its keys that are dispatched in the order in which they come; one to an audience that neither a channel nor an indexed column with few devices narrows counts as four.',
    beyond: 'They are taken when none of others that are within their share waits.',
  },
  promptPushBurst: {
    value: 256,
    unit: 'pushes',
    bounds: 'The same at once.',
    beyond: 'They are taken when none of others that are within their share waits.',
  },
  // LeanCloud push REST guide: scheduled pushes that may wait, by plan.
  scheduledPushes: {
    value: 1000,
    unit: 'pushes',
    bounds: 'Pushes of one app that wait for their `push_time`.',
    answer: THRESHOLD,
  },
  developerScheduledPushes: {
    value: 10,
    unit: 'pushes',
    bounds: 'The same of an app whose `edition` is `developer`.',
    answer: THRESHOLD,
  },
  scheduledPlaceBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    bounds:
      'What Redis keeps of one push that waits for its `push_time`: message and condition, in which ids of devices stand twice.',
    beyond: 'It counts as one more push for every further 65,536 bytes, or part of them.',
  },
  longestPushLifeMs: {
    value: 30 * DAY_MS,
    unit: 'ms',
    bounds: 'Life of a push after its `push_time`, whatever expiry it names; that of one that names none is shorter.',
    beyond: 'It expires then, and the answer warns of it.',
  },
  sharedNotificationId: {
    value: 1000,
    unit: 'pushes',
    bounds: 'Pushes of one `notification_id`, which are read and cancelled together.',
    beyond: 'The newest are; an older one is found by its `objectId`.',
  },
  notificationIdMs: {
    value: 30 * DAY_MS,
    unit: 'ms',
    bounds:
      'The time after its `push_time` for which a push that is not done is found by its `notification_id`; one that is done sooner, for as long as records are kept.',
    beyond: 'It is found by its `objectId`.',
  },
  pushesListed: {
    value: 100_000,
    unit: 'pushes',
    bounds: 'Pushes of one app in its list, about; one takes about 130 bytes beside its record.',
    beyond: 'The oldest are not listed; they are found by their `objectId` for as long as they are kept.',
  },
  pushesLookedAt: {
    value: 2000,
    unit: 'pushes',
    bounds: 'Records that one request of the console looks at for those that are searched for.',
    beyond: 'The answer has a `cursor`, with which the search goes on.',
  },
  pushesFiltered: {
    value: 10_000,
    unit: 'pushes',
    bounds: 'Pushes that a list of those of a status or a time looks at, beside those that it tells and skips.',
    beyond: 'The answer has a `cursor`, with which the list goes on.',
  },
  outcomeBytes: {
    value: 128 * 1024 * 1024,
    unit: 'bytes',
    bounds:
      'What became of every device of the pushes of one app to audiences; a device takes about 25 bytes. Pushes that name their devices, or have few, count among the records.',
    beyond: 'That of the oldest pushes goes, and a push keeps no more than that; `complete` is false then.',
    setting: 'OUTCOME_BYTES',
  },
  outcomePage: {
    value: 1000,
    unit: 'devices',
    bounds: 'Outcomes in one page of `GET /1.1/notifications/:id/devices`.',
    answer: BAD_QUERY,
  },
  subscriptionLookUps: {
    value: 65_536,
    unit: 'look-ups',
    bounds:
      'Look-ups of one push to channels where the app has no more devices than that: one for each channel in each shard and each kind of its devices, by vendor and profile.',
    beyond: 'Every device is looked at instead, as for any other condition; it reaches the same.',
  },
  namedRefusals: {
    value: 10_000,
    unit: 'devices',
    bounds:
      'Devices of one push that rules refuse by what they have in common, such as no vendor, and whose outcomes name them one by one although nobody needs to look at them.',
    beyond: 'They are one row of the outcomes, with their number.',
  },
  retiredKept: {
    value: 100_000,
    unit: 'registrations',
    bounds: 'Registrations of one app that `GET /1.1/retired` tells of, about; one takes about 50 bytes.',
    beyond: 'The oldest go; `complete` is false for whoever asks for them.',
  },
  retiredKeptMs: {
    value: 30 * DAY_MS,
    unit: 'ms',
    bounds: 'How long ago they were retired at most.',
    answer: BAD_QUERY,
  },
  retiredPage: {
    value: 1000,
    unit: 'registrations',
    bounds: 'Registrations in one page of `GET /1.1/retired`.',
    answer: BAD_QUERY,
  },
  streams: {
    value: 2,
    unit: 'streams',
    bounds:
      'Answers of one app that are told as a stream, in one process at once; in the console, of one person or token.',
    answer: TOO_MANY,
  },
  streamsInAll: {
    value: 64,
    unit: 'streams',
    bounds: 'The same of all apps.',
    answer: TOO_MANY,
  },
  streamMs: {
    value: 60 * 60 * 1000,
    unit: 'ms',
    bounds: 'How long one of them takes, however slowly its caller reads.',
    beyond: 'It ends with a line that says so, and goes on from the cursor of that line.',
  },
} as const satisfies Limits;
