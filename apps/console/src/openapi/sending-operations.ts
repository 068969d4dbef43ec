import { LIMITS } from '@pushfleet/domain';
import { answerOf, APP, EXAMPLE_AT, ofApp, ref, type Operations, operationsOn } from './operation';

const TEXT = { type: 'string', minLength: 1 } as const;

const aboutPushes = operationsOn('pushes');

const SENT = { objectId: '6s0e6n2kqv1u8b3d', createdAt: EXAMPLE_AT };

const BODY = { schema: ref('Push'), example: { channels: ['public'], data: { alert: 'Hello' }, req_id: 'a1b2c3' } };

const PREFLIGHT = answerOf('What it would reach.', ref('Preflight'), {
  preflight: true,
  devices: 3,
  exact: true,
  warnings: [],
  channels: {
    hms: {
      matched: 3,
      sendable: 2,
      discarded: { 'profile-missing': 1 },
      calls: 1,
      bytes: 512,
      truncated: 0,
      estimatedSeconds: 0.1,
      shown: { title: 'News', text: 'Hello' },
    },
  },
});

const WALKING = {
  202: {
    description: 'The walk goes on; the answer is at `path`, for ten minutes.',
    schema: ref('PreflightState'),
    example: { preflight: true, path: `${APP}/preflights/0b1c`, state: 'walking', lookedAt: 120_000 },
  },
};

const NAMED = `In the place of \`where\` and \`channels\` may stand \`installation_ids\` or \`object_ids\`: at most ${LIMITS.deviceIds.value} devices.`;

/** What people send, as the push API takes it: it judges and counts like any other push with the master key. */
export const sendingOperations: Operations = {
  [`POST ${APP}/pushes`]: {
    ...aboutPushes('sendPush', ofApp('sender'), 'Send a push'),
    description: `A body as \`POST /1.1/push\` of the push API takes it, which judges it and counts it like any other with the master key. ${NAMED} Repeating a push with its \`req_id\` within five minutes is safe.`,
    query: {
      confirmed: {
        description: 'How many devices the sender was told and said yes to; for the audit log.',
        schema: { type: 'integer', minimum: 0, maximum: 1_000_000_000 },
      },
    },
    body: BODY,
    answer: { status: 201, description: 'It is on its way.', schema: ref('Pushed'), example: SENT },
    problems: ['not-found', 'conflict'],
  },
  [`POST ${APP}/pushes/preflight`]: {
    ...aboutPushes('preflightPush', ofApp('sender'), 'What a push would reach'),
    description: `Checks and plans the push as it would be sent now, and neither sends nor records it. ${NAMED}`,
    query: {
      exact: {
        description: 'Looks at every device of an audience that has to be walked; absent: at a sample of them.',
        schema: { type: 'string', enum: ['1'] },
      },
    },
    body: BODY,
    answer: PREFLIGHT,
    otherAnswers: WALKING,
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/preflights/:preflightId`]: {
    ...aboutPushes('getPreflight', ofApp('sender'), 'The answer of a pre-flight that took longer'),
    answer: PREFLIGHT,
    otherAnswers: WALKING,
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/pushes/:pushId/unreached`]: {
    ...aboutPushes('listUnreached', ofApp('sender'), 'Whom a push did not reach, for another one to them'),
    description: `Installations that still exist, of one channel and one reason of the record; at most ${LIMITS.deviceIds.value} at a time, which one push names.`,
    query: {
      channel: { description: 'As the record has it.', schema: TEXT, example: 'mi', required: true },
      reason: { description: 'Of `discarded` or `failed`.', schema: TEXT, example: 'unreachable', required: true },
      cursor: { description: 'Of the page before; absent: from the beginning.', schema: TEXT },
    },
    answer: answerOf('Some of them; there are more while it has a `cursor`.', ref('Unreached'), {
      object_ids: ['R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a'],
      complete: true,
    }),
    problems: ['not-found', 'conflict'],
  },
  [`DELETE ${APP}/pushes/:pushId`]: {
    ...aboutPushes('cancelPush', ofApp('sender'), 'Cancel a push'),
    description: 'By objectId or notificationId. What no vendor has in hand is not sent; the record stays.',
    answer: answerOf('What was found, in devices.', ref('CancelledPush'), { cancelled: 3, sent: 0, outstanding: 0 }),
    problems: ['not-found', 'conflict'],
  },
};
