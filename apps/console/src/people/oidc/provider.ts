import type { Claims } from './grant-of';
import { boundedFetch } from './bounded-fetch';
import { claimIn } from './grant-of';
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
  claimsOf(answer: string, flow: Flow): Promise<Claims>;
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
      ...{ redirect_uri: settings.redirectUrl, scope: settings.scopes, state, nonce },
      ...{ code_challenge: await library.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return url.href;
  },
  async claimsOf(answer, { state, nonce, verifier }) {
    const url = new URL(`${settings.redirectUrl}?${answer}`);
    const tokens = await library.authorizationCodeGrant(configuration, url, {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    });
    const claims = tokens.claims() as Claims & { readonly sub: string };
    const isTold = claimIn(claims, settings.roleClaim) !== undefined;
    if (isTold || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    // Many providers keep what is long out of the token.
    return { ...(await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
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
