import { LIMITS } from '@pushfleet/domain';
import { type Problem } from '../http/problem';
import { EXAMPLE_AT, ref, type Operations } from './operation';

const MESSAGE_PROBLEMS: readonly Problem[] = [
  ...(['required-field', 'expiration-conflict', 'threshold', 'misconfigured', 'plan-quota'] as const),
  'too-many-calls',
];

const CREATED = { objectId: '6s0e6n2kqv1u8b3d', createdAt: EXAMPLE_AT };

const answer = {
  status: 200,
  description: 'Recorded and on its way.',
  schema: ref('Pushed'),
  example: CREATED,
} as const;

const PREFLIGHT = {
  preflight: true,
  devices: 3,
  exact: true,
  channels: {
    hms: {
      matched: 3,
      sendable: 2,
      discarded: { 'profile-missing': 1 },
      calls: 1,
      bytes: 512,
      truncated: 0,
      estimatedSeconds: 0.1,
    },
  },
  warnings: [],
};

const preflightDocs = {
  status: 200,
  description: 'What the push would reach.',
  schema: ref('Preflight'),
  example: PREFLIGHT,
} as const;

const preflightStates = {
  202: {
    description: 'The walk goes on; the answer is at `path`, for ten minutes.',
    schema: ref('PreflightState'),
    example: { preflight: true, path: '/1.1/push/preflight/0b1c', state: 'walking', lookedAt: 120_000 },
  },
} as const;

const EXACT = {
  description:
    'Looks at every device of an audience that has to be walked, one walk of an app after the other; absent: at a sample of them.',
  schema: { type: 'string', enum: ['1'] },
} as const;

/**
 * Told in words: clients that are generated know one answer of an address, and of these that of a push. For a pre-flight they
 * have its own address.
 */
const ALIAS =
  'With `?preflight=1` it answers like `POST /1.1/push/preflight`, takes `exact` like that, and sends nothing; master key.';

const BATCH_MB = LIMITS.batchBytes.value / 1024 ** 2;

const BATCH_SCHEMA = {
  type: 'object',
  required: ['requests'],
  properties: { requests: { type: 'array', items: ref('BatchElement'), maxItems: LIMITS.batchElements.value } },
} as const;

const ELEMENT_ANSWER = {
  anyOf: [{ type: 'object', additionalProperties: true }, { type: 'array', items: {} }, { type: 'null' }],
} as const;

const SAFE_TO_REPEAT =
  'Null counts as absent and unknown keys are ignored. Repeating a push with its `req_id` is safe.';

export const pushOperations: Operations = {
  'POST /1.1/push': {
    id: 'push',
    tag: 'push',
    summary: 'Send a push',
    key: 'clientPush',
    answer,
    description: `To everybody for whom \`where\` and \`channels\` hold; without both, to all devices. Sub-queries in \`where\`, and patterns and ranges of \`installationId\`, \`objectId\`, \`registrationId\` or \`deviceToken\`, need the master key, unless \`installationQueries\` opens them to the app key. At most ${LIMITS.pushBytes.value} bytes. ${SAFE_TO_REPEAT} ${ALIAS}`,
    body: {
      schema: ref('Push'),
      example: {
        channels: ['public'],
        where: { vendor: { $in: ['HMS', 'mi'] } },
        data: { alert: 'Hello', title: 'News', k1: 'v1', vivo: { pushMode: 1 } },
        expiration_interval: 86_400,
        req_id: 'a1b2c3',
      },
    },
    problems: [...MESSAGE_PROBLEMS, 'invalid-query', 'invalid-cql', 'channel-name', 'push-time'],
  },
  'POST /1.1/push/devices': {
    id: 'pushToDevices',
    tag: 'push',
    summary: 'Send a push to known addresses',
    key: 'clientPush',
    answer,
    description: `To at most ${LIMITS.deviceIds.value} devices of one vendor; no installation is looked up. At most ${LIMITS.pushBytes.value} bytes beside \`device_ids\`. ${SAFE_TO_REPEAT} ${ALIAS}`,
    body: {
      schema: ref('DevicePush'),
      example: {
        device_type: 'android',
        vendor: 'HMS',
        device_ids: ['registration-1', 'registration-2'],
        data: { alert: 'Hello' },
      },
    },
    problems: MESSAGE_PROBLEMS,
  },
  'POST /1.1/push/installations': {
    id: 'pushToInstallations',
    tag: 'push',
    summary: 'Send a push to installations by their ids',
    key: 'master',
    answer,
    description: `To at most ${LIMITS.deviceIds.value} installations of any vendors, which \`where\` of a push has no room for. At most ${LIMITS.pushBytes.value} bytes beside the ids. ${SAFE_TO_REPEAT} ${ALIAS}`,
    body: {
      schema: ref('NamedPush'),
      example: { installation_ids: ['df0b4a0e8b1c4b5f'], data: { alert: 'Hello' } },
    },
    problems: [...MESSAGE_PROBLEMS, 'invalid-query', 'push-time'],
  },
  'POST /1.1/push/preflight': {
    id: 'preflight',
    tag: 'push',
    summary: 'What a push would reach',
    key: 'master',
    answer: preflightDocs,
    description:
      'Checks and plans the push as it would be sent now, and neither sends nor records it. Devices that are named, and those of small channels, are counted one by one; of an audience that has to be walked a sample is, within a second.',
    body: { schema: ref('Push'), example: { channels: ['public'], data: { alert: 'Hello' } } },
    query: { exact: EXACT },
    otherAnswers: preflightStates,
    problems: [...MESSAGE_PROBLEMS, 'invalid-query', 'invalid-cql', 'channel-name', 'push-time'],
  },
  'GET /1.1/push/preflight/:id': {
    id: 'getPreflight',
    tag: 'push',
    summary: 'The answer of a pre-flight',
    key: 'master',
    description: 'Of one that was answered with 202.',
    answer: preflightDocs,
    otherAnswers: preflightStates,
    problems: ['route-unknown', 'malformed-url', 'too-many-calls'],
  },
  'POST /1.1/batch': {
    id: 'batch',
    tag: 'push',
    summary: 'Many requests in one body',
    key: 'app',
    description: `At most ${BATCH_MB} MB. Elements run in order, those of one method beside each other, but saves of installations that share an objectId, installationId or registrationId one after the other. Each has the rights of the key and is counted by itself: a push beyond the minute’s rest is refused with 429 in its place, and those before it stand. An element that fails is told in its place.`,
    body: {
      schema: BATCH_SCHEMA,
      example: {
        requests: [
          { method: 'POST', path: '/1.1/push', body: { channels: ['a'], data: { alert: 'Hello' } } },
          { method: 'GET', path: '/1.1/classes/_Installation', params: { where: { channels: 'a' }, limit: 10 } },
        ],
      },
    },
    answer: {
      status: 200,
      description: 'One entry for every element, in order; `success` is null for what does not exist.',
      schema: {
        type: 'array',
        items: {
          oneOf: [
            { type: 'object', required: ['success'], properties: { success: ELEMENT_ANSWER } },
            { type: 'object', required: ['error'], properties: { error: ref('Error') } },
          ],
        },
      },
      example: [
        { success: CREATED },
        { error: { code: 102, error: 'where: must be an object or an array of objects' } },
      ],
    },
    problems: ['too-many-calls', 'threshold'],
  },
  'POST /1.1/batch/save': {
    id: 'batchSave',
    tag: 'push',
    summary: 'The saves of 4.x Android clients',
    key: 'app',
    description: 'Like a batch, but answered under the `__internalId` of each body; one that fails fails the whole.',
    body: {
      schema: BATCH_SCHEMA,
      example: {
        requests: [
          {
            method: 'POST',
            path: '/1.1/installations',
            body: { deviceType: 'android', installationId: 'df0b', __children: [], __internalId: 'b0d5' },
          },
        ],
      },
    },
    answer: {
      status: 200,
      description: 'Every answer under the internal id of its body.',
      schema: { type: 'object', additionalProperties: { type: 'object', additionalProperties: true } },
      example: { b0d5: { ...CREATED, updatedAt: EXAMPLE_AT } },
    },
    problems: [
      ...(['too-many-calls', 'channel-name', 'key-name', 'object-missing', 'required-field', 'invalid-query'] as const),
      ...(['invalid-cql', 'push-time', 'expiration-conflict', 'threshold', 'misconfigured', 'plan-quota'] as const),
      ...(['no-effect', 'not-for-clients', 'route-unknown', 'method-unknown', 'malformed-url'] as const),
      ...(['device-unnamed', 'object-unnamed', 'record-missing', 'class-missing', 'client-id'] as const),
    ],
  },
};
