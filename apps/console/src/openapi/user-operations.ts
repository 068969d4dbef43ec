import {
  answerOf,
  cursorOf,
  DONE,
  ofFleet,
  operationsOn,
  pageSchema,
  ref,
  resultsOf,
  type Operation,
  type Operations,
} from './operation';

const CLIENT = { client_id: 'hskcocvse6x1cgkklm', name: 'My game', developer_id: 'default' };
const USER = { user_id: 'u-1', name: 'Ann', avatar: 'https://example.com/a.png', gender: 0, is_guest: false };
const TOKEN = {
  kid: '1/abcdefgh',
  access_token: '1/abcdefgh',
  token_type: 'mac',
  mac_key: 'a-key-of-the-login',
  mac_algorithm: 'hmac-sha-1',
  scope: 'public_profile',
};

const LISTED_TOKEN = {
  id: 'q1w2e3r4t5y6',
  client_id: CLIENT.client_id,
  mac_algorithm: 'hmac-sha-1',
  scope: 'public_profile',
};

const USER_PATH = '/api/v1/users/:userId';
const TOKENS = `${USER_PATH}/tokens/:clientId`;
const BLOCK = `${USER_PATH}/blocks/:clientId`;
const CLIENT_PATH = '/api/v1/clients/:clientId';

const ended: Operation['answer'] = {
  status: 200,
  description: 'How many tokens ended.',
  example: { invalidated: 2 },
  schema: { type: 'object', required: ['invalidated'], properties: { invalidated: { type: 'integer', minimum: 0 } } },
};

const aboutUsers = operationsOn('users');
const byOperator = (id: string, summary: string) => aboutUsers(id, ofFleet('operator'), summary);
/** It is done once it is answered, unless there is nothing to do it to. */
const doneByOperator = (id: string, summary: string): Operation => ({
  ...byOperator(id, summary),
  problems: ['not-found'],
  answer: DONE,
});

const LIST_CURSOR = cursorOf('the first', '^[0-9]{1,4}\\.[0-9]{1,20}$');
const someOf = (item: string, example: object): Operation['answer'] =>
  answerOf('Some, in no order; there may be more while the answer has a `cursor`.', pageSchema(item), {
    results: [example],
    cursor: '0.1024',
  });
const allByOperator = (id: string, summary: string, answer: Operation['answer']): Operation => ({
  ...byOperator(id, `${summary}, page by page`),
  description: '`unreadable` names those whose records in Redis are damaged.',
  problems: [],
  query: { cursor: LIST_CURSOR },
  answer,
});

const CREATING: Pick<Operation, 'query' | 'problems'> = {
  query: {
    create: { description: 'Refused when there is one already; absent: it is replaced.', schema: { enum: ['1'] } },
  },
  problems: ['conflict'],
};

const userOperations: Operations = {
  'GET /api/v1/users': allByOperator('listUsers', 'All users', someOf('User', USER)),
  [`PUT ${USER_PATH}`]: {
    ...byOperator('putUser', 'Store a user'),
    ...CREATING,
    description: 'In the fields of the user information API. `openids` and `unionids` are kept byte for byte.',
    body: { schema: ref('UserChange'), example: { name: 'Ann', avatar: 'https://example.com/a.png' } },
    answer: answerOf('The user.', ref('User'), USER),
  },
  [`GET ${USER_PATH}`]: {
    ...byOperator('getUser', 'A user'),
    problems: ['not-found', 'conflict'],
    answer: answerOf('With the clients that may not read it.', ref('UserWithBlocks'), {
      ...USER,
      openids: {},
      unionids: {},
      blocked_clients: [],
    }),
  },
  [`DELETE ${USER_PATH}`]: doneByOperator('deleteUser', 'Delete a user'),
  [`PUT ${BLOCK}`]: doneByOperator('blockUser', 'Block a user for a client'),
  [`DELETE ${BLOCK}`]: doneByOperator('unblockUser', 'Let a client read a user again'),
  'POST /api/v1/imports/users': {
    ...byOperator('importUsers', 'Take over many users and tokens'),
    problems: [],
    description: 'Each line is a user or a token with `user_id` and `client_id`, and is judged by itself.',
    body: { schema: ref('UserImport'), example: { lines: [{ user_id: 'u-1', name: 'Ann' }] } },
    answer: {
      status: 200,
      description: 'About each line, in their order.',
      example: { results: [{ kind: 'user' }] },
      schema: resultsOf({
        type: 'object',
        additionalProperties: true,
        properties: { kind: { enum: ['user', 'token'] }, error: { type: 'string' } },
      }),
    },
  },
};

const tokenOperations: Operations = {
  [`GET ${USER_PATH}/tokens`]: {
    ...byOperator('listTokens', 'Valid tokens of a user'),
    problems: ['not-found'],
    description: 'Neither the text nor the key of a token is shown: `id` is the beginning of the digest of its text.',
    query: { cursor: cursorOf('the first', '^[0-9]{1,20}$') },
    answer: someOf('ListedToken', LISTED_TOKEN),
  },
  [`POST ${TOKENS}`]: {
    ...byOperator('issueToken', 'Issue a MAC token, or take over a given one'),
    body: {
      schema: { anyOf: [ref('NewToken'), ref('GivenToken')] },
      example: { mac_algorithm: 'hmac-sha-256' },
      isOptional: true,
    },
    answer: { status: 201, description: 'The token.', schema: ref('Token'), example: TOKEN },
    problems: ['not-found', 'conflict'],
  },
  [`DELETE ${TOKENS}`]: {
    ...byOperator('revokeTokens', 'The user took back the authorization'),
    answer: ended,
    problems: ['not-found'],
  },
  [`POST ${USER_PATH}/security-change`]: {
    ...byOperator('recordSecurityChange', 'End every token of a user'),
    answer: ended,
    problems: ['not-found'],
  },
};

const stored = answerOf('The client.', ref('Client'), CLIENT);

const clientOperations: Operations = {
  'GET /api/v1/clients': allByOperator('listClients', 'All clients', someOf('Client', CLIENT)),
  [`PUT ${CLIENT_PATH}`]: {
    ...byOperator('putClient', 'Store an app that may ask about users'),
    ...CREATING,
    answer: stored,
    description: 'A developer that is not named stays as it is: another one would change every unionid.',
    body: { schema: ref('ClientChange'), example: { name: 'My game' } },
  },
  [`GET ${CLIENT_PATH}`]: {
    ...byOperator('getClient', 'A client'),
    problems: ['not-found', 'conflict'],
    answer: stored,
  },
  [`DELETE ${CLIENT_PATH}`]: doneByOperator('deleteClient', 'Delete a client'),
};

/** What the user information API reads. */
export const accountOperations: Operations = { ...userOperations, ...tokenOperations, ...clientOperations };
