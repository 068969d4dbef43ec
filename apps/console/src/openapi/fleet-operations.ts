import { LIMITS } from '@pushfleet/domain';
import {
  answerOf,
  APP_ID,
  cursorOf,
  EXAMPLE_AT,
  listOf,
  pageOf,
  ref,
  type Operation,
  type Operations,
  OF_CALLER,
  ofFleet,
  operationsOn,
  pageSchema,
} from './operation';

const PROGRESS = { keyId: '3f9a', writes: '3f9a', phase: 'required' };

const PROCESS = {
  id: 'host-2-b',
  role: 'channel-worker',
  channel: 'hms',
  version: '1.2.3',
  format: 2,
  since: EXAMPLE_AT,
  keyId: '3f9a',
};

const someWord = (description: string) => ({ description, schema: { type: 'string', minLength: 1, maxLength: 128 } });
const someTime = (description: string) => ({
  description: `${description}: a day, or a moment with its zone.`,
  schema: { type: 'string' },
});

/** What the audit log is searched by. */
const AUDIT_BY: Operation['query'] = {
  by: someWord('With this in the name of who did it.'),
  action: someWord('With this in the name of the operation.'),
  app: someWord('About this app.'),
  from: someTime('Done then or later'),
  to: someTime('Done before'),
  cursor: cursorOf('the newest', '^[0-9]{1,16}-[0-9]{1,10}$'),
};

const aboutFleet = operationsOn('fleet');

export const fleetOperations: Operations = {
  'GET /api/v1/doctor': {
    ...aboutFleet('doctor', ofFleet('viewer'), 'Look the whole fleet over'),
    problems: [],
    description: 'Redis, secrets, every profile, consumers, pushes that wait, unsafe settings; each with what to do.',
    answer: answerOf('A line for each thing.', ref('Doctor'), {
      ok: true,
      at: EXAMPLE_AT,
      checks: [{ check: 'redis-eviction', subject: '127.0.0.1:6379', status: 'ok', finding: 'noeviction' }],
    }),
  },
  'GET /api/v1/processes': {
    ...aboutFleet('listProcesses', ofFleet('viewer'), 'The living processes of the fleet'),
    problems: [],
    answer: answerOf('All of them.', listOf('Process'), { results: [PROCESS] }),
  },
  'GET /api/v1/live': {
    ...aboutFleet('live', OF_CALLER, 'What changes, as it changes'),
    description:
      'Server-sent events. `state` has a digest for each topic that the reader does not know: another one than before means that the answers about it differ. `beat` comes every 15 seconds, `over` before the stream ends: after a sign-out, another role, or when the process stops. What a topic takes is asked again before every event.',
    query: {
      topic: {
        description: `\`channels\`, \`processes\` and \`doctor\` for who may see the fleet; \`pushes/APP\` and \`push/APP/PUSH\` for who may see the app. ${LIMITS.liveTopics.value} at most, each a parameter of its own.`,
        schema: { type: 'string', maxLength: 150 },
        example: `pushes/${APP_ID}`,
        required: true,
      },
    },
    answer: {
      status: 200,
      description: 'Until the caller leaves.',
      contentType: 'text/event-stream',
      schema: { type: 'string' },
      example: 'event: state\ndata: {"channels":"q1w2e3r4t5y6"}\n\n',
    },
    problems: ['too-many-calls'],
  },
  'GET /api/v1/audit': {
    ...aboutFleet('listAudit', ofFleet('operator'), 'What operators did, the newest first'),
    problems: [],
    description: `The last 10,000 changes of apps, keys, profiles, channels, clients and secrets, about. Of those that are searched for, one request looks at ${LIMITS.auditEntriesLookedAt.value}: a page may be short or empty while there is a \`cursor\`.`,
    query: { limit: pageOf(1000, 100), ...AUDIT_BY },
    answer: {
      status: 200,
      description: 'A page; there may be more while it has a `cursor`.',
      schema: pageSchema('AuditEntry', { lookedBackTo: { type: 'string', format: 'date-time' } }),
      example: {
        results: [
          {
            at: EXAMPLE_AT,
            by: 'admin-token',
            from: '10.0.0.7',
            action: 'changeApp',
            target: `/apps/${APP_ID}`,
            changes: { hybrid: [false, true] },
          },
        ],
      },
    },
  },
  'GET /api/v1/audit.csv': {
    ...aboutFleet('downloadAudit', ofFleet('operator'), 'The same as a table'),
    problems: [],
    description:
      'A last line that begins with `#` says that it was cut off, and names the `cursor` that gives the rest.',
    query: AUDIT_BY,
    answer: {
      status: 200,
      description: 'Until all are told.',
      contentType: 'text/csv',
      schema: { type: 'string' },
      example: 'at,by,from,action,target,changes\n',
    },
  },
  'GET /api/v1/secrets': {
    ...aboutFleet('secrets', ofFleet('operator'), 'How the secrets of the fleet are sealed'),
    problems: [],
    query: {
      progress: {
        description: '`1` leaves out the counts, which need a look at every secret.',
        schema: { type: 'string' },
        example: '1',
      },
    },
    answer: {
      status: 200,
      description: 'Keys by their names, and how far sealing anew is.',
      example: PROGRESS,
      schema: { anyOf: [ref('Sealing'), ref('SealingProgress')] },
    },
  },
  'POST /api/v1/secrets': {
    ...aboutFleet('reseal', ofFleet('owner'), 'Seal every secret anew'),
    problems: ['conflict'],
    description:
      'A console does it in the background, with its `SECRET_KEY`, which every living process must have; repeated, it changes nothing.',
    answer: {
      status: 202,
      description: 'It is under way.',
      schema: ref('SealingProgress'),
      example: PROGRESS,
    },
  },
  'GET /api/v1/openapi.json': {
    ...aboutFleet('openApi', undefined, 'This reference for programs'),
    problems: [],
    answer: {
      status: 200,
      description: 'An OpenAPI 3.1 document.',
      schema: { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true },
      example: { openapi: '3.1.0', info: { title: 'Admin API' }, paths: {} },
    },
  },
  'GET /docs': {
    ...aboutFleet('docs', undefined, 'This reference for readers'),
    problems: [],
    answer: {
      status: 200,
      description: 'One page.',
      contentType: 'text/html',
      schema: { type: 'string' },
      example: '<!doctype html>…',
    },
  },
  'GET /docs/:file': {
    id: 'docsFile',
    access: undefined,
    tag: 'fleet',
    summary: 'A file of that page',
    problems: ['route-unknown'],
    answer: {
      status: 200,
      description: 'Scripts, styles, and the document that it shows.',
      schema: { type: 'string' },
      contentType: 'text/javascript',
      example: 'SwaggerUIBundle(…);',
      otherForms: {
        'text/css': { schema: { type: 'string' }, example: 'body { margin: 0; }' },
        'application/json': { schema: {}, example: { openapi: '3.1.0' } },
      },
    },
  },
};
