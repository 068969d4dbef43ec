import type { Locator } from 'playwright-core';
import type { Hands, Label } from './console-actions/hands';

/** A form of the pages that somebody types into. */
export interface ConsoleForm {
  readonly name: string;
  /** Where its source is, of those of the pages. */
  readonly file: string;
  readonly path: (hands: Hands) => string;
  /** The button that opens it; absent where it stands on its page. */
  readonly opener?: (hands: Hands) => Locator;
  readonly typed: readonly (readonly [Label, string])[];
  /** Fields whose text is never kept, and what stands there instead. */
  readonly secrets?: readonly (readonly [Label, string])[];
  /** The key of the words above the form, once it is there again. */
  readonly says?: 'restored' | 'restoredNoSecrets';
}

const onApp =
  (page: string) =>
  ({ scene }: Hands): string =>
    `/apps/${scene.setting.app.id}${page}`;
const on = (path: string) => (): string => path;
const opens =
  (word: string, name?: string) =>
  (hands: Hands): Locator =>
    name === undefined ? hands.button(word) : hands.button(word, rowOf(hands, name));

const rowOf = ({ page }: Hands, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

const hmsOf = ({ page }: Hands): Locator => page.getByRole('region', { name: 'hms', exact: true });

const texts = (...typed: ConsoleForm['typed']): ConsoleForm['typed'] => typed;

const appId = { verbatim: 'appId' };
const appSecret = { verbatim: 'appSecret' };

/** Every form behind the door; what is typed last into one is still there after a reload. */
export const CONSOLE_FORMS: readonly ConsoleForm[] = [
  {
    ...{ name: 'a new app', file: 'pages/apps.tsx', path: on('/apps') },
    ...{ opener: opens('newApp'), typed: [['appName', 'half an app']], says: 'restored' },
  },
  {
    ...{ name: 'settings of an app', file: 'pages/app-settings.tsx', path: onApp('') },
    typed: texts(['appName', 'half a name'], ['callsPerMinute', '77']),
    says: 'restored',
  },
  {
    ...{ name: 'a new profile', file: 'pages/profiles.tsx', path: onApp('/profiles') },
    opener: (hands) => hmsOf(hands).getByRole('button', { name: `${hands.word('newProfile')}: hms` }),
    typed: texts(['profileName', 'half'], [appId, '1234']),
    ...{ secrets: [[appSecret, '']], says: 'restoredNoSecrets' },
  },
  {
    ...{ name: 'a profile that is changed', file: 'pages/profiles.tsx', path: onApp('/profiles') },
    opener: (hands) => hands.button('change', hmsOf(hands)),
    ...{ typed: [[appId, '4321']], secrets: [[appSecret, '***']], says: 'restoredNoSecrets' },
  },
  {
    ...{ name: 'a push', file: 'pages/send.tsx', path: onApp('/send') },
    typed: texts(['pushTitle', 'half a title'], ['text', 'half a text']),
  },
  {
    ...{ name: 'a device to test on', file: 'pages/send/test-device.tsx', path: onApp('/send') },
    typed: [[{ verbatim: 'installationId' }, 'half-a-device']],
  },
  {
    ...{ name: 'a search for pushes', file: 'pages/pushes/search.tsx', path: onApp('/pushes') },
    typed: [['searchPushes', 'half a word']],
  },
  {
    ...{ name: 'a device of a push', file: 'pages/push/one-device.tsx' },
    path: (hands) => onApp(`/pushes/${hands.scene.setting.pushId}`)(hands),
    typed: [['deviceId', 'half-a-device']],
  },
  {
    ...{ name: 'a device to look up', file: 'parts/look-up.tsx', path: onApp('/devices') },
    typed: [['deviceId', 'half-a-device']],
  },
  {
    ...{ name: 'devices by a condition', file: 'pages/devices/search.tsx' },
    path: (hands) => `${onApp('/devices')(hands)}?where=%7B%22valid%22%3Atrue%7D`,
    typed: [['whereJson', '{"half": ']],
  },
  {
    ...{ name: 'a column to count', file: 'pages/audience.tsx', path: onApp('/audience') },
    typed: [['censusColumn', 'half-a-column']],
  },
  {
    ...{ name: 'a pause', file: 'pages/channels/decisions.tsx', path: on('/channels') },
    ...{ opener: opens('pause', 'hms'), typed: [['onlyApp', 'half-an-id']], says: 'restored' },
  },
  {
    ...{ name: 'a drain', file: 'pages/channels/decisions.tsx', path: on('/channels') },
    opener: opens('drain', 'hms'),
    typed: texts(['onlyApp', 'half-an-id'], ['onlyProfile', 'half']),
    says: 'restored',
  },
  {
    ...{ name: 'a discard', file: 'pages/channels/decisions.tsx', path: on('/channels') },
    ...{ opener: opens('discard', 'hms'), typed: [['onlyApp', 'half-an-id']], says: 'restored' },
  },
  {
    ...{ name: 'a user to look up', file: 'parts/look-up.tsx', path: on('/users') },
    typed: [['userId', 'half-an-id']],
  },
  {
    ...{ name: 'a new user', file: 'pages/users.tsx', path: on('/users'), opener: opens('newUser') },
    typed: texts(['userId', 'half-an-id'], ['calledName', 'Half']),
    says: 'restored',
  },
  {
    ...{ name: 'a new client', file: 'pages/users.tsx', path: on('/users'), opener: opens('newClient') },
    typed: texts(['clientId', 'half-an-id'], ['calledName', 'Half']),
    says: 'restored',
  },
  {
    ...{ name: 'a token of a user', file: 'pages/users/user.tsx', path: on('/users/ann') },
    ...{ opener: opens('issueToken'), typed: [['clientId', 'half-an-id']], says: 'restored' },
  },
  {
    ...{ name: 'a block of a user', file: 'pages/users/user.tsx', path: on('/users/ann') },
    ...{ opener: opens('block'), typed: [['clientId', 'half-an-id']], says: 'restored' },
  },
  {
    ...{ name: 'a search of the audit log', file: 'pages/audit.tsx', path: on('/audit') },
    typed: texts(['by', 'half a name'], ['action', 'half']),
  },
  {
    ...{ name: 'one’s password', file: 'pages/settings.tsx', path: on('/settings'), typed: [] },
    secrets: texts(['currentPassword', ''], ['newPassword', '']),
    says: 'restoredNoSecrets',
  },
  {
    ...{ name: 'a new person', file: 'pages/settings/people.tsx', path: on('/settings'), opener: opens('newPerson') },
    typed: texts(['name', 'half-a-name'], ['appsOf', 'half-an-id']),
    ...{ secrets: [['password', '']], says: 'restoredNoSecrets' },
  },
  {
    ...{ name: 'rights of a person', file: 'pages/settings/people.tsx', path: on('/settings') },
    ...{ opener: opens('change', 'sender'), typed: [['appsOf', 'half-an-id']], says: 'restored' },
  },
  {
    ...{ name: 'a new API token', file: 'pages/settings/api-tokens.tsx', path: on('/settings') },
    opener: opens('newToken'),
    typed: texts(['tokenName', 'half a name'], ['days', '77']),
    says: 'restored',
  },
];
