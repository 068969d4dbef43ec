import { LIMITS } from '@pushfleet/domain';
import { type Problem } from '../http/problem';
import { EXAMPLE_AT, KEYS, listOf, PAGE, ref, WHERE, type Operation, type Operations } from './operation';

const ID = 'R9jb0H8qZ3kX1vN5tY7cD2wF4sG6mP0a';
const DEVICE = { deviceType: 'android', installationId: 'df0b4a0e8b1c4b5f', channels: ['public'], vendor: 'HMS' };
const INSTALLATION = { objectId: ID, createdAt: EXAMPLE_AT, updatedAt: EXAMPLE_AT, ...DEVICE, registrationId: 'tok1' };

const FETCH = {
  fetchWhenSave: { description: '`true` answers the whole document.', schema: { type: 'boolean' } },
  new: { description: 'Another name of `fetchWhenSave`.', schema: { type: 'boolean' } },
} as const;
const IF = { ...WHERE, description: 'Condition for what is stored; where it does not hold, nothing is changed.' };
const SAVE_PROBLEMS: readonly Problem[] = [
  ...(['channel-name', 'key-name', 'required-field', 'threshold', 'too-many-calls'] as const),
];
const COUNT = { description: '`1` counts all matches; `limit` may then be 0.', schema: { type: 'integer' } } as const;
/** None, or names with commas between, each with or without a minus sign. */
const FIELDS = '^( *-?[A-Za-z_][A-Za-z0-9_.]{0,127} *(,|$))*$';

const ORDER = {
  description:
    'Fields to order by, with commas between; a minus sign turns one around. Absent: the nearest first if the condition has a `$nearSphere`.',
  schema: { type: 'string', maxLength: LIMITS.orderCharacters.value, pattern: FIELDS },
  example: '-createdAt',
} as const;
const FOUND = {
  type: 'object',
  required: ['results'],
  properties: { results: listOf('Installation'), count: { type: 'integer' } },
} as const;

/** With `keys`, any field may be missing. */
const SOME_FIELDS = {
  type: 'object',
  properties: { objectId: { type: 'string' } },
  additionalProperties: true,
} as const;

const NAMES_A_DEVICE = {
  anyOf: ['installationId', 'deviceToken', 'deviceType', 'objectId'].map((name) => ({
    required: [name],
    properties: { [name]: { type: 'string', minLength: 1 } },
  })),
};

type Templates = Readonly<Record<'create' | 'find' | 'get' | 'update' | 'remove', Operation>>;

const templates: Templates = {
  create: {
    id: 'createInstallation',
    tag: 'installations',
    summary: 'Register a device',
    key: 'app',
    description:
      'Or refresh the one with the same `installationId`, or the one that the body names by `objectId`. A `where` is a condition for what is stored by then; there may be nothing yet.',
    query: { ...FETCH, where: IF },
    body: { schema: { allOf: [ref('InstallationChange'), NAMES_A_DEVICE] }, example: DEVICE },
    answer: {
      status: 201,
      description: 'Stored.',
      example: { objectId: ID, createdAt: EXAMPLE_AT },
      schema: { anyOf: [ref('Created'), ref('Installation')] },
      headers: { Location: { description: 'Address of the installation.', schema: { type: 'string' } } },
    },
    problems: [...SAVE_PROBLEMS, 'device-unnamed', 'no-effect', 'invalid-query', 'not-for-clients'],
  },
  find: {
    id: 'findInstallations',
    tag: 'installations',
    summary: 'Find installations',
    key: 'installationQueries',
    description: 'The app key may always ask for one device: a `where` of exactly `{"installationId": "…"}`.',
    query: { where: WHERE, order: ORDER, keys: KEYS, ...PAGE, count: COUNT },
    answer: {
      status: 200,
      description: 'Those that match.',
      example: { results: [INSTALLATION] },
      schema: { ...FOUND, properties: { ...FOUND.properties, results: { type: 'array', items: SOME_FIELDS } } },
    },
    problems: ['invalid-query', 'too-many-calls', 'object-unnamed'],
  },
  get: {
    id: 'getInstallation',
    tag: 'installations',
    summary: 'Read one',
    key: 'app',
    query: { keys: KEYS },
    description: 'An empty object when there is none.',
    answer: {
      status: 200,
      description: 'The installation.',
      example: INSTALLATION,
      schema: SOME_FIELDS,
    },
    problems: ['malformed-url', 'invalid-query', 'too-many-calls'],
  },
  update: {
    id: 'updateInstallation',
    tag: 'installations',
    summary: 'Change one',
    key: 'app',
    description:
      'What is not named stays. An id that is not known stands for the `installationId` of the body, and the `objectId` of the answer counts from then on. A `where` with a sub-query asks about other devices: that needs the master key, unless the app’s setting `installationQueries` is on.',
    query: { ...FETCH, where: IF },
    body: { schema: ref('InstallationChange'), example: { channels: { __op: 'AddUnique', objects: ['sports'] } } },
    answer: {
      status: 200,
      description: 'Changed.',
      example: { updatedAt: EXAMPLE_AT, objectId: ID },
      schema: {
        type: 'object',
        required: ['objectId', 'updatedAt'],
        properties: { objectId: { type: 'string' }, updatedAt: { type: 'string', format: 'date-time' } },
      },
    },
    problems: [...SAVE_PROBLEMS, 'object-missing', 'no-effect', 'invalid-query', 'malformed-url', 'not-for-clients'],
  },
  remove: {
    id: 'removeInstallation',
    tag: 'installations',
    summary: 'Remove one or several',
    key: 'master',
    description: 'Several ids with commas between them.',
    query: { where: IF },
    answer: { status: 200, description: 'Gone.', schema: { type: 'object', maxProperties: 0 }, example: {} },
    problems: ['no-effect', 'invalid-query', 'malformed-url', 'too-large'],
  },
};

const at = (path: string, suffix: string): Operations => {
  const named = (template: Operation): Operation => ({ ...template, id: `${template.id}${suffix}` });
  return {
    [`POST ${path}`]: named(templates.create),
    [`GET ${path}`]: named(templates.find),
    [`GET ${path}/:id`]: named(templates.get),
    [`PUT ${path}/:id`]: named(templates.update),
    [`DELETE ${path}/:id`]: named(templates.remove),
  };
};

export const installationOperations: Operations = {
  ...at('/1.1/installations', ''),
  ...at('/1.1/classes/_Installation', 'ByClass'),
  'GET /1.1/scan/classes/_Installation': {
    id: 'scanInstallations',
    tag: 'installations',
    summary: 'All installations, page by page',
    key: 'installationQueries',
    query: {
      where: WHERE,
      keys: KEYS,
      limit: PAGE.limit,
      cursor: { description: 'Of the page before; good for ten minutes.', schema: { type: 'string' } },
    },
    answer: {
      status: 200,
      description: 'One page; the `cursor` of the last is null.',
      schema: {
        type: 'object',
        required: ['results', 'cursor'],
        properties: { results: { type: 'array', items: SOME_FIELDS }, cursor: { type: ['string', 'null'] } },
      },
      example: { results: [INSTALLATION], cursor: null },
    },
    problems: ['invalid-query', 'too-many-calls'],
  },
  'GET /1.1/cloudQuery': {
    id: 'cloudQuery',
    tag: 'installations',
    summary: 'Find by a query in words',
    key: 'installationQueries',
    query: {
      cql: {
        description: '`select … from _Installation where … order by … limit …`',
        required: true,
        schema: { type: 'string', minLength: 1 },
        example: 'select * from _Installation where vendor = ? limit 10',
      },
      pvalues: {
        description: 'JSON array of the values for its question marks.',
        schema: { type: 'string', contentMediaType: 'application/json' },
        example: '["HMS"]',
      },
    },
    answer: {
      status: 200,
      description: 'Those that match.',
      schema: {
        ...FOUND,
        required: ['results', 'className'],
        properties: {
          results: { type: 'array', items: SOME_FIELDS },
          className: { const: '_Installation' },
          count: { type: 'integer' },
        },
      },
      example: { results: [INSTALLATION], className: '_Installation' },
    },
    problems: ['invalid-cql', 'invalid-query', 'class-missing', 'too-many-calls'],
  },
};
