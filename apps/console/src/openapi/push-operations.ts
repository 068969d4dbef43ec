import { ADVICE_TEXTS, DESCRIBED_REASONS, DEVICE_OUTCOMES, FROM_SERVICES, LIMITS } from '@pushfleet/domain';
import { MAX_SEARCH_CHARACTERS, SEARCHED_STATUSES } from '../push-search';
import {
  answerOf,
  cursorOf,
  DONE,
  EXAMPLE_AT,
  listOf,
  ofApp,
  ofCaller,
  ofFleet,
  pageOf,
  ref,
  type Operation,
  type Operations,
  operationsOn,
  pageSchema,
} from './operation';

const APP = '/api/v1/apps/:id';

const RECORD = {
  ...{ objectId: '6s0e6n2kqv1y8b3d', notificationId: 'aB3dE5fG7hJ9kL1m', 'from-service': 'push', status: 'done' },
  ...{ prod: 'prod', msg: { alert: 'Hello' }, where: {}, 'push-time': EXAMPLE_AT, expiresAt: EXAMPLE_AT },
  ...{ createdAt: EXAMPLE_AT, updatedAt: EXAMPLE_AT, devices: 3, successes: 3, invalidTokens: 0, lcSuccesses: 0 },
  ...{ channels: { mi: { matched: 3, accepted: 3 } }, errors: [] },
};

const STREAM_MINUTES = LIMITS.streamMs.value / 60_000;

const SEARCHED_BY: Operation['query'] = {
  status: { description: 'Of this status alone.', schema: { type: 'string', enum: [...SEARCHED_STATUSES] } },
  channel: { description: 'With devices on this channel.', schema: { type: 'string', minLength: 1, maxLength: 64 } },
  search: {
    description: 'With this text in what it says, in capitals or not, or of this objectId or notificationId.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_CHARACTERS },
  },
  cursor: cursorOf('the newest', '^[0-9]{1,16}-[0-9a-v]{16}$'),
  'from-service': {
    description: '`rtm`: the pushes of offline messages of a chat server, which are listed apart.',
    schema: { type: 'string', enum: [...FROM_SERVICES], default: 'push' },
  },
};

const aboutPushes = operationsOn('pushes');
const aboutChannels = operationsOn('channels');
const aboutInstallations = operationsOn('installations');

const BY_EITHER_ID = 'By installationId or by objectId';

/** Unless it says otherwise, it answers with nothing. */
const aboutOneInstallation = (...about: Parameters<typeof aboutInstallations>) => ({
  ...aboutInstallations(...about),
  description: `${BY_EITHER_ID}.`,
  answer: DONE,
  problems: ['not-found', 'conflict'] as const,
});

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
      { results: [RECORD], lookedAt: 20, cursor: `1763713800000-${RECORD.objectId}`, lookedBackTo: EXAMPLE_AT },
    ),
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/pushes.csv`]: {
    ...aboutPushes('downloadPushes', ofApp('viewer'), 'Push records, the newest first, as a table'),
    description: `A line for each push. A last line that begins with \`#\` says that it was cut off, as it is after ${STREAM_MINUTES} minutes: it names the \`cursor\` that gives the rest, without a head.`,
    query: SEARCHED_BY,
    answer: {
      ...{ status: 200, description: 'Until all are told.', contentType: 'text/csv', schema: { type: 'string' } },
      example: `objectId,notificationId,createdAt,…\n${RECORD.objectId},${RECORD.notificationId},${EXAMPLE_AT},…\n`,
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
      ...{ status: 200, description: 'Until all are told.', contentType: 'text/csv', schema: { type: 'string' } },
      example: 'objectId,installationId,…\nR9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a,df0b4a0e8b1c4b5f,…\n',
    },
    problems: ['not-found', 'conflict'],
  },
  'GET /api/v1/reasons': {
    ...aboutPushes('listReasons', ofCaller('viewer'), 'What the reasons of a push record mean'),
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
    answer: answerOf('The record.', ref('PushRecord'), RECORD),
    problems: ['not-found', 'conflict'],
  },
};

const CHANNEL = {
  ...{ channel: 'mi', consumers: 2, controls: [], breakers: [], heldPushes: [], vendorWaits: [] },
  callLimits: [{ app: 'app', profile: '_default', queue: 'bulk', workers: 2, allowed: 96, latencyMs: 180 }],
  budget: { callsPerSecond: 100 },
  ...{ direct: { waiting: 0, active: 1 }, bulk: { waiting: 0, active: 2 } },
};

const deciding = (id: string, summary: string): Operation => ({
  ...{ id, summary, access: ofFleet('operator'), tag: 'channels', problems: ['not-found', 'conflict'] },
  settles: true,
  description: 'Of the whole channel, of an app, or of one profile of an app.',
  body: { schema: ref('ChannelScope'), example: {}, isOptional: true },
  answer: { ...{ status: 200, description: 'The channel as it is now.', schema: ref('Channel'), example: CHANNEL } },
});

export const channelOperations: Operations = {
  'GET /api/v1/channels': {
    ...aboutChannels('listChannels', ofFleet('viewer'), 'Every channel, its workers and what waits'),
    problems: [],
    answer: {
      ...{ status: 200, description: 'All of them.', schema: listOf('Channel'), example: { results: [CHANNEL] } },
    },
  },
  'GET /api/v1/backlog': {
    ...aboutChannels('backlog', ofFleet('viewer'), 'What the channels have left to do, and what it waits for'),
    description: 'Of the 2,048 open pushes that wait longest, about. Channels without any are left out.',
    problems: [],
    answer: answerOf('By channel.', ref('Backlog'), {
      results: [
        {
          ...{ channel: 'mi', pushes: 2, devices: 55_135, waitsSince: EXAMPLE_AT, estimatedDoneAt: EXAMPLE_AT },
          waiting: [{ reason: 'budget-spent', pushes: 1, devices: 55_000 }],
        },
      ],
      complete: true,
    }),
  },
  'GET /api/v1/throughput': {
    ...aboutChannels('throughput', ofFleet('viewer'), 'How many devices the channels have decided about'),
    description: 'Sums that only grow: what lies between two answers, by the time between them, is a speed.',
    problems: [],
    answer: answerOf('By channel.', ref('Throughput'), {
      at: EXAMPLE_AT,
      results: [{ channel: 'mi', decided: 1_204_331 }],
    }),
  },
  'GET /api/v1/stats': {
    ...aboutChannels('stats', ofFleet('viewer'), 'What the channels have decided about and what they have left to do'),
    description: 'What `/throughput` and `/backlog` tell, of every channel, in one answer.',
    problems: [],
    answer: answerOf('By channel.', ref('Stats'), {
      ...{ at: EXAMPLE_AT, complete: true },
      results: [{ channel: 'mi', decided: 1_204_331, pushes: 0, devices: 0, waiting: [] }],
    }),
  },
  'POST /api/v1/channels/:channel/pause': deciding('pauseChannel', 'Send nothing; work waits'),
  'POST /api/v1/channels/:channel/drain': deciding(
    'drainChannel',
    'Send what was accepted before; later pushes wait, and the channel is paused when the others are done',
  ),
  'GET /api/v1/channels/:channel/discard': {
    ...{ id: 'previewDiscard', access: ofFleet('operator'), tag: 'channels' },
    summary: 'What a discard would take away now',
    query: {
      app: { description: 'Of this app; absent: of every app.', schema: { type: 'string', minLength: 1 } },
      profile: {
        description: 'Of the app. Its work is counted with that of the other profiles.',
        schema: { type: 'string', minLength: 1 },
      },
    },
    answer: {
      ...{ status: 200, description: 'Nothing is changed.', schema: ref('ChannelWork') },
      example: { pushes: 2, devices: 55135, complete: true },
    },
    problems: ['not-found'],
  },
  'POST /api/v1/channels/:channel/discard': {
    ...deciding('discardChannel', 'Book what waits and what comes without calling the vendor'),
    description:
      'Each device is discarded as `channel-unavailable`, until the channel is resumed or decided about anew.',
    body: { schema: ref('ChannelDiscard'), example: { confirm: 55135 } },
    problems: ['not-found', 'conflict'],
  },
  'POST /api/v1/channels/:channel/resume': deciding(
    'resumeChannel',
    'Take back what was decided, and let pushes go on that wait for a known answer',
  ),
};

const INSTALLATION = {
  ...{ objectId: 'R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a', createdAt: EXAMPLE_AT, updatedAt: EXAMPLE_AT },
  ...{ deviceType: 'android', installationId: 'df0b4a0e8b1c4b5f', vendor: 'mi', registrationId: 'token-1' },
};

const STORY = {
  ...{ objectId: INSTALLATION.objectId, installationId: INSTALLATION.installationId },
  ...{ createdAt: EXAMPLE_AT, updatedAt: EXAMPLE_AT },
  now: { isReachable: true, channel: 'mi', profile: '_default' },
  ...{ gateway: { isConnected: false }, mailbox: { messages: 0 } },
  pushes: [
    {
      ...{ objectId: RECORD.objectId, notificationId: RECORD.notificationId, status: 'done', createdAt: EXAMPLE_AT },
      ...{ outcome: 'accepted', channel: 'mi', receipts: ['delivered'] },
    },
  ],
  pushesLookedAt: 41,
};

export const installationOperations: Operations = {
  [`POST ${APP}/installations/import`]: {
    ...aboutInstallations('importInstallations', ofApp('operator'), 'Take installations over from another service'),
    description: `Rows of an export, each judged by itself. At most ${LIMITS.importBytes.value} bytes. \`dryRun\` stores nothing and tells the same.`,
    body: { schema: ref('InstallationImport'), example: { rows: [INSTALLATION], dryRun: true } },
    answer: {
      ...{ status: 200, description: 'What became of the rows.', schema: ref('Imported') },
      example: {
        ...{ created: 0, updated: 0, unchanged: 0, superseded: 0, bad: [] },
        reach: [{ vendor: 'mi', reason: 'profile-missing', profile: '_default', count: 1 }],
      },
    },
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/installations`]: {
    ...aboutInstallations(
      'exportInstallations',
      ofApp('viewer'),
      'All installations, or those of a condition, page by page',
    ),
    description: `Always in the same order. A page ends after 1 MiB. \`total\`, of all of them, comes with the first page. With a condition, one request looks at ${LIMITS.devicesLookedAt.value} installations: a page may be short or empty while there is a \`cursor\`, and \`lookedAt\` says how many it looked at. Those that are no target are found too. Without a condition \`valid\` is what was saved, also of a registration that is retired; with one it is what the next push goes by.`,
    query: {
      limit: pageOf(1000, 1000),
      cursor: cursorOf('from the beginning', '^[A-Za-z0-9_-]{1,64}$'),
      where: {
        description: `That they meet: JSON, as in a push. Each sub-query looks at ${LIMITS.devicesLookedAt.value} installations at most.`,
        schema: { type: 'string', minLength: 1, maxLength: LIMITS.whereCharacters.value },
      },
    },
    answer: {
      ...{ status: 200, description: 'A page; there are more while it has a `cursor`.' },
      schema: pageSchema('Installation', { total: { type: 'integer' }, lookedAt: { type: 'integer' } }),
      example: { results: [INSTALLATION], total: 1 },
    },
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/installations/:installationId`]: {
    ...aboutOneInstallation('getInstallation', ofApp('viewer'), 'An installation and the road to it'),
    answer: {
      ...{ status: 200, description: 'As it is stored.', schema: ref('InspectedInstallation') },
      example: { installation: INSTALLATION, bucket: 'mi/_default', isRetired: false },
    },
  },
  [`DELETE ${APP}/installations/:installationId`]: {
    ...aboutOneInstallation('removeInstallation', ofApp('operator'), 'Remove an installation'),
    description: `${BY_EITHER_ID}. Its device registers anew when it saves again.`,
  },
  [`POST ${APP}/installations/:installationId/retire`]: {
    ...aboutOneInstallation('retireInstallation', ofApp('operator'), 'Take a registration out of the audience'),
    description: `${BY_EITHER_ID}. The installation stays, and is a target again when its device saves again.`,
  },
  [`GET ${APP}/installations/:installationId/story`]: {
    ...aboutOneInstallation('storyOfInstallation', ofApp('viewer'), 'Why one device gets pushes, or does not'),
    description: `${BY_EITHER_ID}: whether the next push reaches it, by which channel and profile, and if not, why and what to do; its connection and its mailbox; and at most 20 of the last 200 pushes of the app, with outcome and receipts.`,
    answer: { ...{ status: 200, description: 'Its story.', schema: ref('DeviceStory') }, example: STORY },
  },
};
