import { LIMITS } from '@pushfleet/domain';
import {
  APP,
  cursorOf,
  DONE,
  EXAMPLE_AT,
  ofApp,
  operationsOn,
  pageOf,
  pageSchema,
  ref,
  type Operations,
} from './operation';
import { EXAMPLE_RECORD } from './push-operations';

const aboutInstallations = operationsOn('installations');

const BY_EITHER_ID = 'By installationId or by objectId';

/** Unless it says otherwise, it answers with nothing. */
const aboutOneInstallation = (...about: Parameters<typeof aboutInstallations>) => ({
  ...aboutInstallations(...about),
  description: `${BY_EITHER_ID}.`,
  answer: DONE,
  problems: ['not-found', 'conflict'] as const,
});

const INSTALLATION = {
  objectId: 'R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a',
  createdAt: EXAMPLE_AT,
  updatedAt: EXAMPLE_AT,
  deviceType: 'android',
  installationId: 'df0b4a0e8b1c4b5f',
  vendor: 'mi',
  registrationId: 'token-1',
};

const STORY = {
  objectId: INSTALLATION.objectId,
  installationId: INSTALLATION.installationId,
  createdAt: EXAMPLE_AT,
  updatedAt: EXAMPLE_AT,
  now: { isReachable: true, channel: 'mi', profile: '_default' },
  gateway: { isConnected: false },
  mailbox: { messages: 0 },
  pushes: [
    {
      objectId: EXAMPLE_RECORD.objectId,
      notificationId: EXAMPLE_RECORD.notificationId,
      status: 'done',
      createdAt: EXAMPLE_AT,
      outcome: 'accepted',
      channel: 'mi',
      receipts: ['delivered'],
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
      status: 200,
      description: 'What became of the rows.',
      schema: ref('Imported'),
      example: {
        created: 0,
        updated: 0,
        unchanged: 0,
        superseded: 0,
        bad: [],
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
      status: 200,
      description: 'A page; there are more while it has a `cursor`.',
      schema: pageSchema('Installation', { total: { type: 'integer' }, lookedAt: { type: 'integer' } }),
      example: { results: [INSTALLATION], total: 1 },
    },
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APP}/installations/:installationId`]: {
    ...aboutOneInstallation('getInstallation', ofApp('viewer'), 'An installation and the road to it'),
    answer: {
      status: 200,
      description: 'As it is stored.',
      schema: ref('InspectedInstallation'),
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
    answer: { status: 200, description: 'Its story.', schema: ref('DeviceStory'), example: STORY },
  },
};
