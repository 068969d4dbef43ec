import type { Claims } from './grant-of';
import { boundedFetch } from './bounded-fetch';
import { claimIn, isEmptyClaim } from './grant-of';
import type { Flow } from './flows';
import { isOfThisMachine, type OidcSettings } from './settings';

/** An ES module, and of use to few fleets: it is loaded by those that have a provider. */
const loadLibrary = () => import('openid-client');

type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Configuration = Awaited<ReturnType<Library['discovery']>>;
type ClientAuth = ReturnType<Library['ClientSecretBasic']>;

const TIMEOUT_SECONDS = 10;

/** A provider that has told what it can do. */
export interface Provider {
  /** Where it signs people in. */
  signInUrl(flow: Flow): Promise<string>;
  /** What it says of who came back with the answer in the query of the address. */
  claimsOf(answer: string, flow: Flow): Promise<Told>;
}

export interface Told {
  readonly claims: Claims;
  /** The claim that decides about the role, of the token or, where that says nothing, of what the provider was asked for. */
  readonly role: unknown;
}

/** Asks the issuer what it can do; it is named by the environment alone, and so is every address that it tells. */
export async function discover(settings: OidcSettings, stopping: AbortSignal): Promise<Provider> {
  const library = await loadLibrary();
  const issuer = new URL(settings.issuer);
  const insecure = isOfThisMachine(issuer) ? [library.allowInsecureRequests] : [];
  const configuration = await library.discovery(issuer, settings.clientId, undefined, secretOf(library, settings), {
    timeout: TIMEOUT_SECONDS,
    execute: [...insecure, library.enableNonRepudiationChecks],
    [library.customFetch]: boundedFetch(stopping),
  });
  return providerOf({ library, configuration, settings });
}

interface Parts {
  readonly library: Library;
  readonly configuration: Configuration;
  readonly settings: OidcSettings;
}

const providerOf = ({ library, configuration, settings }: Parts): Provider => ({
  async signInUrl({ state, nonce, verifier }) {
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: settings.redirectUrl,
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  },
  async claimsOf(answer, { state, nonce, verifier }) {
    const url = new URL(`${settings.redirectUrl}?${answer}`);
    const tokens = await library.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims() as Claims & { readonly sub: string };
    const role = claimIn(claims, settings.roleClaim);
    if (!isEmptyClaim(role) || configuration.serverMetadata().userinfo_endpoint === undefined) return { claims, role };
    // Many providers keep what is long out of the token, or leave it empty there.
    const more = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { claims: { ...more, ...claims }, role: claimIn(more, settings.roleClaim) };
  },
});

/** As the standard has it unless the provider knows better. */
const secretOf =
  ({ ClientSecretBasic, ClientSecretPost }: Library, { clientSecret }: OidcSettings): ClientAuth =>
  (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const prove = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    return prove(clientSecret)(server, ...request);
  };
