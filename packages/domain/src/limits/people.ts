import { FULL, INVALID, TOO_MANY } from './answers';
import type { Limits } from './limit';

/** Who may use the admin API and its console. */
export const PEOPLE = {
  people: { value: 1000, unit: 'people', bounds: 'People of the console.', answer: FULL },
  apiTokens: { value: 1000, unit: 'tokens', bounds: 'API tokens, those that expired included.', answer: FULL },
  apiTokenDays: { value: 366, unit: 'days', bounds: 'Life of an API token.', answer: INVALID },
  appsOfPerson: { value: 500, unit: 'apps', bounds: 'Apps that one person or token is limited to.', answer: INVALID },
  auditEntriesLookedAt: {
    value: 2000,
    unit: 'entries',
    bounds: 'Entries of the audit log that one request looks at for those that are searched for.',
    beyond: 'The answer has a `cursor`, with which the search goes on.',
  },
  passwordCharacters: { value: 256, unit: 'characters', bounds: 'Length of a password.', answer: INVALID },
  oidcGrants: {
    value: 500,
    unit: 'entries',
    bounds: 'Entries of `CONSOLE_OIDC_ROLES`.',
    beyond: 'The console does not start.',
  },
  oidcAnswerCharacters: {
    value: 8192,
    unit: 'characters',
    bounds: 'What a provider of OpenID Connect sends back to the console with a browser.',
    answer: INVALID,
  },
  oidcAnswerBytes: {
    value: 1024 * 1024,
    unit: 'bytes',
    bounds: 'What a provider of OpenID Connect answers the console itself.',
    beyond: 'It counts as away.',
  },
  signInsPerName: {
    value: 10,
    unit: 'failures',
    bounds: 'Failed sign-ins with one name in fifteen minutes.',
    answer: TOO_MANY,
    beyond: 'The right password is refused too until the time is over.',
  },
  signInsPerNetwork: {
    value: 30,
    unit: 'failures',
    bounds: 'Failed sign-ins from one IPv4 address or IPv6 /64 network in fifteen minutes.',
    answer: TOO_MANY,
    beyond: 'The right password is refused too until the time is over.',
  },
  signInsWaiting: {
    value: 20,
    unit: 'sign-ins',
    bounds: 'Passwords that wait to be checked in one process, which checks one after the other.',
    answer: TOO_MANY,
  },
  dearReadsWaiting: {
    value: 20,
    unit: 'requests',
    bounds:
      'Requests of one person or token that look at many records and wait in one console process, which serves one of them after the other.',
    answer: TOO_MANY,
  },
  liveTopics: { value: 20, unit: 'topics', bounds: 'What one live stream of the console tells of.', answer: INVALID },
  liveStreamsPerPerson: {
    value: 10,
    unit: 'streams',
    bounds: 'Live streams of one person or token in one console process; all tabs of a browser share one.',
    answer: TOO_MANY,
  },
  liveStreams: { value: 500, unit: 'streams', bounds: 'Live streams of one console process.', answer: TOO_MANY },
} as const satisfies Limits;
