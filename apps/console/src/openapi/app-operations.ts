import { channels } from '@pushfleet/channels';
import { COLUMN_PATTERN, DEFAULT_APP_SETTINGS } from '@pushfleet/domain';
import {
  answerOf,
  APP_ID,
  cursorOf,
  SETTLED,
  EXAMPLE_AT,
  listOf,
  ref,
  type Operation,
  type Operations,
  ofApp,
  OF_CALLER,
  ofFleet,
  operationsOn,
} from './operation';
import { profileHelp } from './profile-help';

const APP = { ...DEFAULT_APP_SETTINGS, id: APP_ID, name: 'My game', edition: 'commercial', hybrid: true };
const WITH_KEYS = { ...APP, key: 'app-key-of-24-characters', masterKey: 'a-master-key-of-this-app' };
const ROOM = {
  installations: 120_000,
  bytes: 132_000_000,
  messagingBytes: 6_000_000,
  unconfirmed: 3100,
  ceiling: { installations: null, bytes: 536_870_912 },
  evicted: 64,
  lastEvictedAt: EXAMPLE_AT,
  deliveriesToday: 48_000,
};
const REACH = {
  hybrid: true,
  reachable: 120_000,
  results: [
    { channel: 'mi', profile: '_default', count: 120_000 },
    { channel: 'mi', profile: '*', reason: 'profile-missing', count: 7 },
  ],
};
const AUDIENCE = {
  lookedAt: 2000,
  total: 120_007,
  cursor: 'R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a',
  reach: [
    { vendor: 'mi', count: 1990 },
    { vendor: 'mi', reason: 'stale', count: 10 },
  ],
  profiles: { _default: 2000 },
  values: { '1.2': 1500, none: 500 },
  seen: { '1': 1800, '30': 190, older: 10 },
};
const PURGE = {
  startedAt: EXAMPLE_AT,
  updatedAt: EXAMPLE_AT,
  pass: 1,
  step: 'installations',
  percent: 40,
  removed: { pushes: 12, installations: 3000, keys: 7 },
};
const PURGING = { type: 'object', required: ['purge'], properties: { id: { type: 'string' }, purge: ref('Purge') } };
const PROFILE = {
  channel: 'mi',
  profile: '_default',
  appId: '2882303761',
  appSecret: '***',
  packageName: 'com.example',
  lastTest: { at: EXAMPLE_AT, ok: true, vendorCode: '0', vendorMessage: 'success' },
  receiptSeenAt: EXAMPLE_AT,
};

const APPS = '/api/v1/apps';
const PROFILE_PATH = `${APPS}/:id/profiles/:channel/:profile`;

const changed: Operation['answer'] = {
  status: 200,
  description: 'As it is now, with its keys.',
  schema: ref('AppWithKeys'),
  example: WITH_KEYS,
};

const aboutApps = operationsOn('apps');
const aboutProfiles = operationsOn('profiles');

export const appOperations: Operations = {
  [`POST ${APPS}`]: {
    ...aboutApps('createApp', ofFleet('operator'), 'Create an app'),
    problems: ['conflict'],
    description: 'Given `id`, `key` and `masterKey` are kept: builds in the field carry them.',
    body: { schema: ref('NewApp'), example: { name: 'My game', edition: 'commercial', hybrid: true } },
    answer: { ...changed, status: 201, description: 'The app with its keys.' },
  },
  [`GET ${APPS}`]: {
    ...aboutApps('listApps', OF_CALLER, 'All apps, without keys'),
    problems: [],
    description:
      'Those that the role of the caller holds for. What is being removed stands under `purging`, without `purge` where nobody can read how far that is; `unreadable` names those whose records in Redis cannot be read.',
    answer: answerOf('All of them.', listOf('App'), { results: [APP] }),
  },
  [`GET ${APPS}/:id`]: {
    ...aboutApps('getApp', ofApp('viewer'), 'An app'),
    problems: ['not-found', 'conflict'],
    answer: {
      status: 200,
      description: 'The app, for operators with its keys; or how far its removal is.',
      example: WITH_KEYS,
      schema: { anyOf: [ref('AppWithKeys'), ref('App'), PURGING] },
    },
  },
  [`PATCH ${APPS}/:id`]: {
    ...aboutApps('changeApp', ofApp('operator'), 'Change settings of an app'),
    settles: true,
    problems: ['not-found', 'conflict'],
    body: { schema: ref('AppChange'), example: { limits: { callsPerMinute: 1200 }, overlong: 'reject' } },
    answer: changed,
  },
  [`DELETE ${APPS}/:id`]: {
    ...aboutApps('deleteApp', ofApp('owner'), 'Delete an app and everything that it had'),
    settles: true,
    problems: ['not-found'],
    description: 'Its keys end at once; its data is removed in the background. `GET` tells how far that is.',
    answer: {
      status: 200,
      description: 'The removal has begun.',
      example: { purge: PURGE },
      schema: PURGING,
    },
  },
  [`GET ${APPS}/:id/room`]: {
    ...aboutApps('roomOfApp', ofApp('viewer'), 'What an app takes of what it may'),
    description:
      'Its installations, whose bytes are what Redis needs for them, about, and its deliveries of today. A ceiling of null is none.',
    answer: answerOf('As of now.', ref('Room'), ROOM),
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APPS}/:id/reach`]: {
    ...aboutApps('reachOfApp', ofApp('viewer'), 'Whom a push to everybody would reach now, and why not the others'),
    description: 'By channel and profile, for a push that shows something. Devices that are stale are in no row.',
    answer: answerOf('At most a second old.', ref('Reach'), REACH),
    problems: ['not-found', 'conflict'],
  },
  [`GET ${APPS}/:id/audience`]: {
    ...aboutApps('audienceOfApp', ofApp('viewer'), 'What the devices of an app are, slice by slice'),
    description:
      'Every slice reads up to 2,000 devices; whoever asks adds them up. By vendor, by whether a push that shows something would reach them, by profile, by the value of one column, and by when they were last seen.',
    query: {
      cursor: cursorOf('from the beginning', '^[A-Za-z0-9_-]{1,64}$'),
      column: {
        description: 'Whose values are counted, 100 of them; the rest as `others`.',
        schema: { type: 'string', pattern: COLUMN_PATTERN, default: 'appVersion' },
      },
    },
    answer: answerOf('A slice.', ref('Audience'), AUDIENCE),
    problems: ['not-found', 'conflict'],
  },
  [`POST ${APPS}/:id/keys`]: {
    ...aboutApps('replaceKey', ofApp('owner'), 'Replace a key of an app'),
    settles: true,
    problems: ['not-found', 'conflict'],
    description: 'The old key is taken for a day, or `keepOldMs`, beside the new one.',
    body: { schema: ref('KeyRotation'), example: { which: 'masterKey', keepOldMs: 3_600_000 } },
    answer: {
      ...changed,
      example: { ...WITH_KEYS, replacedKeys: [{ which: 'masterKey', until: EXAMPLE_AT }] },
    },
  },
  [`DELETE ${APPS}/:id/replaced-keys/:which`]: {
    ...aboutApps('endReplacedKey', ofApp('owner'), 'End a key that was replaced, before its time'),
    path: { which: { type: 'string', enum: ['key', 'masterKey'] } },
    settles: true,
    problems: ['not-found', 'conflict'],
    answer: changed,
  },
};

const kept: Operation['answer'] = {
  status: 200,
  description: 'The profile, secrets masked.',
  schema: ref('Profile'),
  example: PROFILE,
};

const FIELDS = {
  channel: 'mi',
  vendor: 'mi',
  names: { en: 'A vendor', 'zh-CN': '某厂商' },
  fields: [
    {
      name: 'appId',
      isRequired: true,
      isSecret: false,
      kind: 'text',
      descriptions: { en: 'App id.', 'zh-CN': '应用编号。' },
    },
  ],
};

export const profileOperations: Operations = {
  'GET /api/v1/profile-fields': {
    ...aboutProfiles('listProfileFields', OF_CALLER, 'What a profile of each channel holds'),
    problems: [],
    answer: {
      status: 200,
      description: 'The channels of vendors, and the fields of their profiles.',
      schema: listOf('ProfileFields'),
      example: { results: [FIELDS] },
    },
  },
  [`GET ${APPS}/:id/profiles`]: {
    ...aboutProfiles('listProfiles', ofApp('operator'), 'All profiles of an app'),
    problems: ['not-found', 'conflict'],
    answer: { ...kept, description: 'Secrets masked.', schema: listOf('Profile'), example: { results: [PROFILE] } },
  },
  [`GET ${PROFILE_PATH}`]: {
    ...aboutProfiles('getProfile', ofApp('operator'), 'A profile'),
    problems: ['not-found', 'conflict'],
    answer: kept,
  },
  [`PUT ${PROFILE_PATH}`]: {
    ...aboutProfiles('putProfile', ofApp('operator'), 'Store a profile'),
    settles: true,
    problems: ['not-found', 'conflict'],
    description: `The fields are those of the channel. \`***\` keeps a stored secret, so that an answer can be sent back.\n\n${profileHelp(channels)}\n\n`,
    body: {
      schema: { type: 'object', additionalProperties: true },
      example: { appId: '2882303761', appSecret: 'of-your-app', packageName: 'com.example' },
    },
    answer: kept,
  },
  [`DELETE ${PROFILE_PATH}`]: {
    ...aboutProfiles('deleteProfile', ofApp('operator'), 'Delete a profile'),
    settles: true,
    answer: SETTLED,
    problems: ['not-found', 'conflict'],
  },
  [`POST ${PROFILE_PATH}/test`]: {
    ...aboutProfiles('testProfile', ofApp('operator'), 'Ask the vendor whether the credentials are right'),
    description:
      'No device is reached. A vendor that does not answer within ten seconds is an answer, too. The profile tells it as `lastTest` until it is saved again.',
    answer: {
      status: 200,
      description: 'What the vendor says.',
      schema: ref('CredentialCheck'),
      example: { ok: true, vendorCode: '0', vendorMessage: 'success' },
    },
    problems: ['not-found', 'conflict'],
  },
};
