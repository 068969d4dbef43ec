import { signInAtProvider, startOidcProvider, type OidcProvider } from '@pushfleet/testing';
import { openBrowser } from '../../testing/browser';
import { consoleHarness } from '../../testing/console-harness';

const CLIENT = { client_id: 'a', client_secret: 'a secret', redirect_uris: ['https://console.example.com/sign-in'] };
const OWNERS = { realm_access: { roles: ['push-owners'] } };
const NOBODIES = { realm_access: { roles: ['canteen'] } };

/** What the token says of somebody, what the provider says when it is asked, and the role that this gives. */
const CASES: readonly (readonly [token: object, asked: object, role: string | undefined])[] = [
  [OWNERS, { realm_access: {} }, 'owner'],
  [OWNERS, { realm_access: { roles: [] } }, 'owner'],
  [OWNERS, NOBODIES, 'owner'],
  [{}, OWNERS, 'owner'],
  [{ realm_access: {} }, OWNERS, 'owner'],
  [{ realm_access: null }, OWNERS, 'owner'],
  [{ realm_access: { roles: [] } }, OWNERS, 'owner'],
  [{ realm_access: { roles: '' } }, OWNERS, 'owner'],
  [NOBODIES, OWNERS, undefined],
  [{ realm_access: { roles: [] } }, { realm_access: {} }, undefined],
];
const named = <T>(of: (one: (typeof CASES)[number]) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(CASES.map((one, at) => [`sub-${at}`, of(one)]));

jest.setTimeout(120_000);

let provider: OidcProvider;
const env: Record<string, string> = {
  CONSOLE_PUBLIC_URL: 'https://console.example.com',
  CONSOLE_OIDC_CLIENT_ID: CLIENT.client_id,
  CONSOLE_OIDC_CLIENT_SECRET: CLIENT.client_secret,
  CONSOLE_OIDC_ROLE_CLAIM: 'realm_access.roles',
  CONSOLE_OIDC_ROLES: JSON.stringify([{ value: 'push-owners', role: 'owner' }]),
};

beforeAll(async () => {
  const inToken = named(([token]) => ({ realm_access: undefined, ...token }));
  provider = await startOidcProvider({ client: CLIENT, people: named(([, asked]) => ({ ...asked })), inToken });
  env['CONSOLE_OIDC_ISSUER'] = provider.issuer;
});
afterAll(() => provider.stop());

const admin = consoleHarness({ env });

it.each(CASES.map(([token, asked, role], at) => ({ told: JSON.stringify([token, asked]), role, name: `sub-${at}` })))(
  'in the token and in what was asked for stand $told: the role is $role',
  async ({ role, name }) => {
    const browser = openBrowser(admin);
    const { body } = await browser.call('POST', '/session/oidc');
    const oidc = await signInAtProvider(String(body['url']), name);
    const answer = await browser.call('POST', '/session', { oidc });
    expect([answer.status, answer.body['role']]).toEqual([role === undefined ? 403 : 200, role]);
  },
);
