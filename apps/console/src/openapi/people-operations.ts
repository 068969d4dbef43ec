import type { JsonSchema } from '@pushfleet/http-edge';
import {
  answerOf,
  APP_ID,
  DONE,
  EXAMPLE_AT,
  listOf,
  OF_CALLER,
  ofFleet,
  ref,
  type Operation,
  type Operations,
  operationsOn,
} from './operation';

const SESSION = '/api/v1/session';
const PEOPLE = '/api/v1/people';
const TOKENS = '/api/v1/api-tokens';

const WAYS: JsonSchema = {
  type: 'object',
  required: ['oidc'],
  additionalProperties: true,
  properties: { oidc: { enum: ['off', 'ready', 'away'] } },
};
const GOING: JsonSchema = {
  type: 'object',
  required: ['url'],
  additionalProperties: true,
  properties: { url: { type: 'string', format: 'uri' } },
};
const CALLER = { by: 'person ann', person: 'ann', role: 'sender', apps: [APP_ID] };
const PERSON = { name: 'ann', role: 'sender', apps: [APP_ID], createdAt: EXAMPLE_AT };
const TOKEN = {
  id: '0a1b2c3d4e5f',
  name: 'ci',
  role: 'operator',
  apps: 'all',
  createdBy: 'person ann',
  createdAt: EXAMPLE_AT,
  expiresAt: EXAMPLE_AT,
  isExpired: false,
};
const PASSWORD = 'a sentence that is easy to keep';

const aboutPeople = operationsOn('people');

const sessionOperations: Operations = {
  [`POST ${SESSION}`]: {
    ...aboutPeople('signIn', undefined, 'Sign in to the console'),
    description:
      'Sets the cookie of a session. With a name that is nobody’s, `ADMIN_TOKEN` as password begins a session of the admin token.',
    body: { schema: ref('SignIn'), example: { name: 'ann', password: PASSWORD } },
    answer: answerOf('Who has signed in.', ref('Caller'), CALLER),
    problems: ['unauthorised', 'forbidden', 'conflict', 'too-many-calls', 'unavailable'],
  },
  [`GET ${SESSION}/ways`]: {
    ...aboutPeople('waysToSignIn', undefined, 'How people may sign in'),
    description:
      'Beside passwords: at a provider of OpenID Connect, unless the console has none (`off`) or cannot reach it (`away`).',
    answer: answerOf('What the sign-in page offers.', WAYS, { oidc: 'ready' }),
    problems: ['forbidden'],
  },
  [`POST ${SESSION}/oidc`]: {
    ...aboutPeople('goToProvider', undefined, 'Begin to sign in at a provider of OpenID Connect'),
    description:
      'Sets a cookie that binds the sign-in to this browser for ten minutes. The provider sends it back to `/sign-in`, whose query is then the `oidc` of `signIn`.',
    answer: answerOf('Where the browser has to go.', GOING, { url: 'https://id.example.com/authorize?client_id=…' }),
    problems: ['forbidden', 'conflict', 'unavailable'],
  },
  [`GET ${SESSION}`]: {
    ...aboutPeople('whoAmI', OF_CALLER, 'Who is calling'),
    problems: [],
    answer: answerOf('As the API sees it.', ref('Caller'), CALLER),
  },
  [`DELETE ${SESSION}`]: {
    ...aboutPeople('signOut', OF_CALLER, 'Sign out'),
    problems: [],
    answer: DONE,
  },
  [`POST ${SESSION}/links`]: {
    ...aboutPeople('createLink', ofFleet('owner'), 'A link that signs in, for the demo'),
    description: 'Whoever opens it within ten minutes has a session of the admin token. Only with `SIGN_IN_LINKS`.',
    answer: {
      status: 201,
      description: 'Where it is at this console.',
      schema: ref('SignInLink'),
      example: { path: '/sign-in#link=…', expiresAt: EXAMPLE_AT },
    },
    problems: ['conflict'],
  },
};

const stored: Operation['answer'] = {
  status: 200,
  description: 'As it is now.',
  schema: ref('Person'),
  example: PERSON,
};

const personOperations: Operations = {
  'DELETE /api/v1/single-sign-on/:subject/sessions': {
    ...aboutPeople('signOutSubject', OF_CALLER, 'End all sessions of somebody who signs in elsewhere'),
    description:
      'Owners of all apps end those of anybody, others their own. The subject is what the provider calls them.',
    answer: DONE,
    problems: ['not-found'],
  },
  [`GET ${PEOPLE}`]: {
    ...aboutPeople('listPeople', ofFleet('owner'), 'Everybody who may sign in'),
    problems: [],
    answer: {
      ...stored,
      description: 'All of them; `unreadable` names those whose records in Redis are damaged.',
      schema: listOf('Person'),
      example: { results: [PERSON] },
    },
  },
  [`POST ${PEOPLE}`]: {
    ...aboutPeople('createPerson', ofFleet('owner'), 'Let somebody in'),
    body: { schema: ref('NewPerson'), example: { name: 'bob', password: PASSWORD, role: 'sender', apps: [APP_ID] } },
    answer: { ...stored, status: 201 },
    problems: ['conflict'],
  },
  [`PATCH ${PEOPLE}/:name`]: {
    ...aboutPeople('changePerson', ofFleet('owner'), 'Change role or apps of a person'),
    description: 'It holds for sessions that are open, too.',
    body: { schema: ref('PersonChange'), example: { role: 'viewer' } },
    answer: stored,
    problems: ['not-found'],
  },
  [`DELETE ${PEOPLE}/:name`]: {
    ...aboutPeople('deletePerson', ofFleet('owner'), 'Let somebody in no more'),
    answer: DONE,
    problems: ['not-found'],
  },
  [`PUT ${PEOPLE}/:name/password`]: {
    ...aboutPeople('changePassword', OF_CALLER, 'Set the password of a person'),
    description: 'Owners of all apps set that of anybody, others their own. All sessions of the person end.',
    body: { schema: ref('PasswordChange'), example: { password: PASSWORD } },
    answer: DONE,
    problems: ['not-found', 'conflict'],
  },
  [`DELETE ${PEOPLE}/:name/sessions`]: {
    ...aboutPeople('signOutEverywhere', OF_CALLER, 'End all sessions of a person'),
    description: 'Owners of all apps end those of anybody, others their own.',
    answer: DONE,
    problems: ['not-found'],
  },
};

const tokenOperations: Operations = {
  [`GET ${TOKENS}`]: {
    ...aboutPeople('listApiTokens', ofFleet('owner'), 'Tokens of programs'),
    problems: [],
    answer: {
      status: 200,
      description: 'All of them, without their secrets; `unreadable` names those whose records in Redis are damaged.',
      schema: listOf('ApiToken'),
      example: { results: [TOKEN] },
    },
  },
  [`POST ${TOKENS}`]: {
    ...aboutPeople('createApiToken', ofFleet('owner'), 'Let a program in'),
    body: { schema: ref('NewApiToken'), example: { name: 'ci', role: 'operator', apps: 'all', days: 90 } },
    answer: {
      status: 201,
      description: '`token` is shown this once.',
      schema: ref('CreatedApiToken'),
      example: { ...TOKEN, token: 'pft_0a1b2c3d4e5f_…' },
    },
    problems: ['conflict'],
  },
  [`DELETE ${TOKENS}/:tokenId`]: {
    ...aboutPeople('deleteApiToken', ofFleet('owner'), 'End a token'),
    answer: DONE,
    problems: ['not-found'],
  },
};

/** Who may use this API. */
export const peopleOperations: Operations = { ...sessionOperations, ...personOperations, ...tokenOperations };
