import { ADVICE_TEXTS, DESCRIBED_REASONS, DEVICE_OUTCOMES, FROM_SERVICES, LIMITS } from '@pushfleet/domain';
import { PUSH_CURSOR } from '@pushfleet/store';
import { MAX_SEARCH_CHARACTERS, SEARCHED_STATUSES } from '../push-search';
import {
  answerOf,
  APP,
  cursorOf,
  EXAMPLE_AT,
  ofApp,
  OF_CALLER,
  operationsOn,
  pageOf,
  pageSchema,
  ref,
  type Operation,
  type Operations,
} from './operation';

export const EXAMPLE_RECORD = {
  objectId: '6s0e6n2kqv1u8b3d',
  notificationId: 'aB3dE5fG7hJ9kL1m',
  'from-service': 'push',
  status: 'done',
  prod: 'prod',
  msg: { alert: 'Hello' },
  where: {},
  'push-time': EXAMPLE_AT,
  expiresAt: EXAMPLE_AT,
  createdAt: EXAMPLE_AT,
  updatedAt: EXAMPLE_AT,
  devices: 3,
  successes: 3,
  invalidTokens: 0,
  lcSuccesses: 0,
  channels: { mi: { matched: 3, accepted: 3 } },
  errors: [],
};

const STREAM_MINUTES = LIMITS.streamMs.value / 60_000;

const SEARCHED_BY: Operation['query'] = {
  status: { description: 'Of this status alone.', schema: { type: 'string', enum: [...SEARCHED_STATUSES] } },
  channel: { description: 'With devices on this channel.', schema: { type: 'string', minLength: 1, maxLength: 64 } },
  search: {
    description: 'With this text in what it says, in capitals or not, or of this objectId or notificationId.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_CHARACTERS },
  },
  cursor: cursorOf('the newest', PUSH_CURSOR.source),
  'from-service': {
    description: '`rtm`: the pushes of offline messages of a chat server, which are listed apart.',
    schema: { type: 'string', enum: [...FROM_SERVICES], default: 'push' },
  },
};

const aboutPushes = operationsOn('pushes');

export const pushOperations: Operations = {
  [`GET ${APP}/pushes`]: {
    ...aboutPushes('listPushes', ofApp('viewer'), 'Push records, the newest first'),
    description: `Of those that are searched for, one request looks at ${LIMITS.pushesLookedAt.value} records: a page may be short or empty while there is a \`cursor\`, and \`lookedAt\` and \`lookedBackTo\` say how many it looked at and how far it came. \`skip\` goes with \`limit\`, a status and \`from-service\`.`,
    query: {
      limit: pageOf(100, 20),
      skip: {
        description: 'How many to leave out first.',
        schema: { type: 'integer', minimum: 0, maximum: 10_000, default: 0 },
      },
      ...SEARCHED_BY,
    },
    answer: answerOf(
      'Some of them; there may be more while there is a `cursor`.',
      pageSchema('PushRecord', {
        lookedAt: { type: 'integer' },
        lookedBackTo: { type: 'string', format: 'date-time' },
      }),
      {
        results: [EXAMPLE_RECORD],
        lookedAt: 20,
        cursor: `1763713800000-${EXAMPLE_RECORD.objectId}`,
        lookedBackTo: EXAMPLE_AT,
      },
    ),
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/pushes.csv`]: {
    ...aboutPushes('downloadPushes', ofApp('viewer'), 'Push records, the newest first, as a table'),
    description: `A line for each push. A last line that begins with \`#\` says that it was cut off, as it is after ${STREAM_MINUTES} minutes: it names the \`cursor\` that gives the rest, without a head.`,
    query: SEARCHED_BY,
    answer: {
      status: 200,
      description: 'Until all are told.',
      contentType: 'text/csv',
      schema: { type: 'string' },
      example: `objectId,notificationId,createdAt,…\n${EXAMPLE_RECORD.objectId},${EXAMPLE_RECORD.notificationId},${EXAMPLE_AT},…\n`,
    },
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/pushes/:pushId/outcomes`]: {
    ...aboutPushes('downloadOutcomes', ofApp('viewer'), 'What became of every device of a push, as a table'),
    description: `A line for each device, read as it is taken. A last line that begins with \`#\` says that these are not all, or that it was cut off, as it is after ${STREAM_MINUTES} minutes: it names the \`cursor\` that gives the rest, without a head. A table without such a line may have been cut off by the network; \`pushfleet pushes devices\` waits for a service that is away.`,
    query: {
      cursor: {
        description: 'That of the line that says where it was cut off; absent: from the beginning.',
        schema: { type: 'string', pattern: '^[\\w-]{1,256}$' },
      },
      outcome: { description: 'Of this outcome.', schema: { enum: DEVICE_OUTCOMES } },
      reason: { description: 'For this reason.', schema: { type: 'string' } },
      channel: { description: 'Of this channel.', schema: { type: 'string' } },
    },
    answer: {
      status: 200,
      description: 'Until all are told.',
      contentType: 'text/csv',
      schema: { type: 'string' },
      example: 'objectId,installationId,…\nR9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a,df0b4a0e8b1c4b5f,…\n',
    },
    problems: ['not-found', 'conflict'],
  },
  'GET /api/v1/reasons': {
    ...aboutPushes('listReasons', OF_CALLER, 'What the reasons of a push record mean'),
    problems: [],
    description: 'In plain words, with what to do; the same for every fleet of this version.',
    answer: answerOf('All of them.', ref('Reasons'), {
      results: [DESCRIBED_REASONS[0]],
      actions: { retry: ADVICE_TEXTS.retry },
    }),
  },
  [`GET ${APP}/pushes/:pushId`]: {
    ...aboutPushes('getPush', ofApp('viewer'), 'A push record, by objectId or notificationId'),
    query: {
      installationId: {
        description: 'An objectId or installationId: the record then tells what became of that installation.',
        schema: { type: 'string', minLength: 1, maxLength: 512 },
      },
    },
    answer: answerOf('The record.', ref('PushRecord'), EXAMPLE_RECORD),
    problems: ['not-found', 'conflict'],
  },
};
