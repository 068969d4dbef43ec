import { DAY_MS, DEVICE_OUTCOMES, FROM_SERVICES, ISO_DATE_PATTERN, LIMITS, PUSH_STATUSES } from '@pushfleet/domain';
import { CHANNEL_NAME, OUTCOME_REASONS } from '../routes/outcome-query';
import { EXAMPLE_AT, listOf, PAGE, ref, type Operation, type Operations } from './operation';

const COLUMN = {
  expected: 2,
  matched: 2,
  accepted: 1,
  delivered: 1,
  lapsed: 0,
  clicked: 0,
  truncated: 0,
  discarded: { 'registration-gone': 1 },
  failed: {},
  outstanding: 0,
};
const ERROR = {
  channel: 'hms',
  reason: 'registration-gone',
  count: 1,
  vendorCode: '80300007',
  action: 'drop-registration',
  samples: ['R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a'],
};
const RECORD = {
  objectId: '6s0e6n2kqv1u8b3d',
  notificationId: 'aB3dE5fG7hJ9kL1m',
  'from-service': 'push',
  status: 'done',
  prod: 'prod',
  msg: { alert: 'Hello' },
  where: { channels: { $in: ['public'] } },
  'push-time': EXAMPLE_AT,
  expiresAt: '2026-11-28T08:30:00.000Z',
  createdAt: EXAMPLE_AT,
  updatedAt: EXAMPLE_AT,
  devices: 2,
  successes: 1,
  invalidTokens: 0,
  lcSuccesses: 0,
  hmsSuccesses: 1,
  iosSuccesses: 0,
  fcmSuccesses: 0,
  channels: { hms: COLUMN },
  errors: [ERROR],
};

const pageOf = (maximum: number) =>
  ({
    cursor: { description: 'That of the page before.', schema: { type: 'string' } },
    limit: { description: 'How many.', schema: { type: 'integer', minimum: 1, maximum, default: 100 } },
  }) as const;

const WHEN = {
  description: 'An ISO 8601 date, or milliseconds since the epoch.',
  schema: {
    anyOf: [
      { type: 'string', pattern: ISO_DATE_PATTERN },
      { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
    ],
  },
} as const;
const STATUS = { description: 'Only these.', schema: { type: 'string', enum: PUSH_STATUSES } } as const;
const SERVICE = {
  description:
    '`rtm`: the pushes of offline messages, which are listed apart and kept for ten minutes unless `OFFLINE_MESSAGE_RETENTION_MS` says otherwise.',
  schema: { type: 'string', enum: [...FROM_SERVICES], default: 'push' },
} as const;

const cancelled: Operation['answer'] = {
  status: 200,
  description: 'In devices, as of now; empty when there was nothing to cancel.',
  schema: ref('Cancelled'),
  example: { cancelled: 120, sent: 880, outstanding: 3 },
};

const STREAM_MINUTES = LIMITS.streamMs.value / 60_000;
const RETIRED_DAYS = LIMITS.retiredKeptMs.value / DAY_MS;

const EMPTY = { type: 'object', maxProperties: 0 } as const;

const recordAt = (path: string, suffix: string): Operations => ({
  [`GET ${path}`]: {
    id: `getRecord${suffix}`,
    tag: 'records',
    summary: 'Read the record of a push',
    key: 'app',
    description:
      'By `objectId` or `notificationId`; pushes that share a `notificationId` are told as one. Empty when there is none. Kept for seven days unless `PUSH_RETENTION_MS` says otherwise; for a push that names its devices, or a channel of few, `ADDRESSED_PUSH_RETENTION_MS` does.\n\nWith the app key, unless the app’s setting `pushQueries` is on: by `objectId` alone, without `msg`, `where` and samples; of a push that had conditions other than ids and channels, only `objectId` and `status`.',
    answer: {
      status: 200,
      description: 'The record.',
      example: RECORD,
      schema: { anyOf: [ref('PushRecord'), ref('ClientPushRecord'), ref('PushStatus'), EMPTY] },
    },
    problems: ['malformed-url', 'not-for-clients', 'too-many-calls'],
  },
  [`DELETE ${path}`]: {
    id: `cancelPush${suffix}`,
    tag: 'records',
    summary: 'Cancel a push',
    key: 'master',
    answer: cancelled,
    description: 'What no vendor has in hand yet is not sent. The record leaves these routes.',
    problems: ['malformed-url'],
  },
});

export const recordOperations: Operations = {
  'GET /1.1/notifications': {
    id: 'listRecords',
    tag: 'records',
    summary: 'Records of pushes, the newest first',
    key: 'pushQueries',
    description: `One request looks at ${LIMITS.pushesFiltered.value} records beside those that it tells and skips. Where it found fewer than \`limit\` among them, it answers with a \`cursor\` to go on from; \`skip\` then counts behind it.`,
    query: {
      ...PAGE,
      status: STATUS,
      from: WHEN,
      to: WHEN,
      'from-service': SERVICE,
      cursor: { description: 'Of a page that says that it did not look at all.', schema: { type: 'string' } },
    },
    answer: {
      status: 200,
      description: 'Some of them.',
      example: { results: [RECORD] },
      schema: {
        type: 'object',
        required: ['results'],
        properties: { results: listOf('PushRecord'), cursor: { type: 'string' } },
      },
    },
    problems: ['invalid-query', 'too-many-calls'],
  },
  ...recordAt('/1.1/notifications/:id', ''),
  ...recordAt('/1.1/tables/Notifications/:id', 'ByTable'),
  'GET /1.1/notifications/:id/devices': {
    id: 'listOutcomes',
    tag: 'records',
    summary: 'What became of every device of a push',
    key: 'master',
    description: `As it was booked, accepted devices too; rules are not asked again. By \`objectId\` or \`notificationId\`, of a cancelled push too. A page may be short or empty before the last one, whose \`cursor\` is null. An installation deleted since has \`gone\`; devices that a rule refused together, more than ${LIMITS.namedRefusals.value} of a push, stand in one row with \`count\`; a device that the push named by its address has a \`registrationId\` in place of the \`objectId\`.\n\n\`complete\`: the push is done, and every device of its record is told. It is false as long as the push is under way; when the outcomes of the app are larger than \`OUTCOME_BYTES\`, so that those of the oldest pushes go; when some of them are damaged in Redis, which are left out; and when a process of an earlier version worked on the push.\n\nBy \`Accept: application/x-ndjson\` all of them are answered as a stream, without \`limit\`: a line for each, and a last one with \`complete\`, the number of \`devices\` that it told, and \`cursor\`. When the service cannot go on, that line has \`complete: false\`, \`code\` and \`error\`, and a \`cursor\` to go on from. A stream without such a line was cut off: ask again, or by pages. It is one call; nothing is read ahead of its caller, and a caller who takes less than a kilobyte a second is cut off. After ${STREAM_MINUTES} minutes a stream ends with such a last line, however slowly it was read: the same request with its \`cursor\` gives the rest.`,
    query: {
      outcome: { description: 'Only these.', schema: { type: 'string', enum: DEVICE_OUTCOMES } },
      reason: {
        description: 'Only those with this reason of the record.',
        schema: { type: 'string', enum: OUTCOME_REASONS },
      },
      channel: {
        description: 'Only those of this channel of the record.',
        schema: { type: 'string', pattern: CHANNEL_NAME.source },
      },
      ...pageOf(LIMITS.outcomePage.value),
    },
    answer: {
      status: 200,
      description: 'Some of them.',
      schema: ref('Outcomes'),
      example: {
        results: [
          {
            objectId: 'R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a',
            installationId: '4f0c1b2a',
            channel: 'hms',
            outcome: 'discarded',
            reason: 'registration-gone',
            vendorCode: '80300007',
            vendorMessage: 'all the tokens are illegal',
            action: 'drop-registration',
            at: EXAMPLE_AT,
          },
        ],
        cursor: null,
        complete: true,
      },
      otherForms: {
        'application/x-ndjson': {
          schema: { type: 'string', description: 'JSON lines: results, then `{"complete", "devices", "cursor"}`.' },
          example:
            '{"objectId":"R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a","channel":"hms","outcome":"accepted","at":"2026-11-21T08:30:00.000Z"}\n{"complete":true,"devices":1,"cursor":null}\n',
        },
      },
    },
    problems: ['malformed-url', 'invalid-query', 'record-missing', 'too-many-calls'],
  },
  'GET /1.1/retired': {
    id: 'listRetired',
    tag: 'records',
    summary: 'Registrations that vendors called dead',
    key: 'master',
    description: `Those that were taken out of the audience since a time, the oldest first; about the last ${LIMITS.retiredKept.value} of an app are kept, for ${RETIRED_DAYS} days. Ask again with \`since\` as the \`at\` of the last one: what was retired in the same millisecond comes twice. For five seconds at most an answer ends before one that is about to be taken out; a later answer has it. Those that a process of an earlier version retired are not told.`,
    query: {
      since: { ...WHEN, description: `${WHEN.description} Within the last ${RETIRED_DAYS} days; absent: as long ago.` },
      ...pageOf(LIMITS.retiredPage.value),
    },
    answer: {
      status: 200,
      description: 'Some of them.',
      schema: ref('Retired'),
      example: {
        results: [
          {
            objectId: 'R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a',
            installationId: '4f0c1b2a',
            channel: 'hms',
            registrationId: 'AAW8…',
            reason: 'registration-gone',
            action: 'drop-registration',
            at: EXAMPLE_AT,
          },
        ],
        cursor: null,
        complete: true,
      },
    },
    problems: ['malformed-url', 'invalid-query', 'too-many-calls'],
  },
  'GET /1.1/scheduledPushMessages': {
    id: 'listScheduled',
    tag: 'records',
    summary: 'Pushes that wait for their time',
    key: 'master',
    query: PAGE,
    answer: {
      status: 200,
      description: 'Some of them.',
      schema: { type: 'object', required: ['results'], properties: { results: listOf('ScheduledPush') } },
      example: {
        results: [
          {
            id: 1,
            expire_time: 1_795_253_400_000,
            createdAt: EXAMPLE_AT,
            push_msg: {
              'app-id': 'FFnN2hso42Wego3pWq4X5qlu',
              prod: 'prod',
              'api-version': '1.1',
              msg: { alert: 'Hello' },
              where: { sort: { createdAt: 1 }, query: { channels: 'public', valid: true } },
              id: '6s0e6n2kqv1u8b3d',
              notificationId: 'aB3dE5fG7hJ9kL1m',
            },
          },
        ],
      },
    },
    problems: [],
  },
  'DELETE /1.1/scheduledPushMessages/:id': {
    id: 'cancelScheduled',
    tag: 'records',
    summary: 'Cancel one that waits',
    key: 'master',
    answer: cancelled,
    description: 'By its number, or by the `objectId` of the push.',
    problems: ['malformed-url'],
  },
};
