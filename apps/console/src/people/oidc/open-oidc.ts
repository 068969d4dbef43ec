import { createHash } from 'node:crypto';
import { isStillAhead } from '@pushfleet/domain';
import type { HttpRequest } from '@pushfleet/http-edge';
import { Refusal } from '@pushfleet/http-edge';
import type { Logger } from '@pushfleet/service-kit';
import { Problem } from '../../http/problem';
import { openFlows } from './flows';
import { grantOf } from './grant-of';
import { isProven, refuseStrange } from './identity';
import { personOf, type OidcPerson } from './oidc-person';
import { discover, type Provider, type Told } from './provider';
import { refusalOf } from './refusal-of';
import type { OidcSettings } from './settings';

/** Sign-in at a provider of OpenID Connect. */
export interface Oidc {
  /** Of the settings that decide who may do what: sessions that began with others are over. */
  readonly generation: string;
  /** Whether the provider can be asked; looks again when it could not some time ago. */
  state(): 'ready' | 'away';
  /** Where the provider signs this browser in, and the cookie that binds the answer to it. */
  begin(): Promise<{ readonly url: string; readonly cookie: string }>;
  /** Who came back with the answer; throws what a reader of the sign-in page understands. */
  finish(req: HttpRequest, answer: string): Promise<OidcPerson>;
}

export interface OidcParts {
  readonly secretKey: string;
  readonly now: () => number;
  readonly stopping: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'error' | 'warn'>;
}

const LOOK_AGAIN_MS = 10_000;
/** Providers move their addresses, as when one is upgraded. */
const LOOK_ANEW_MS = 3_600_000;

/** Looks for the provider at once and waits for nothing: people with passwords sign in meanwhile. */
export function openOidc(settings: OidcSettings, parts: OidcParts): Oidc {
  const isSecure = settings.redirectUrl.startsWith('https:');
  const flows = openFlows({ ...parts, isSecure });
  const provider = openProvider(settings, parts);
  provider.look();
  return {
    generation: generationOf(settings),
    state: () => provider.look(),
    async begin() {
      const found = await provider.found();
      const { flow, cookie } = flows.begin();
      return { url: await found.signInUrl(flow), cookie };
    },
    async finish(req, answer) {
      const flow = flows.of(req, new URLSearchParams(answer).get('state') ?? '');
      if (!flow) throw new Refusal('unauthorised', 'this sign-in began in another browser, or long ago: begin again');
      const found = await provider.found();
      const told = await found.claimsOf(answer, flow).catch((error: unknown) => {
        parts.log.warn({ err: error }, 'a sign-in at the OpenID Connect provider failed');
        throw refusalOf(error);
      });
      return admitted(told, settings);
    },
  };
}

const generationOf = ({ issuer, clientId, roleClaim, grants }: OidcSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, clientId, roleClaim, grants]))
    .digest('base64url');

function admitted({ claims, role }: Told, { clientId, roleClaim, grants }: OidcSettings): OidcPerson {
  refuseStrange(claims, clientId);
  const grant = grantOf(role, grants);
  const person = personOf(claims);
  if (!isProven(claims, roleClaim))
    throw new Problem(
      'forbidden',
      `the provider knows you as ${person.name}, but does not say that your e-mail address is verified: ask who runs this console`,
    );
  if (grant) return { ...person, role: grant.role, apps: grant.apps };
  throw new Problem(
    'forbidden',
    `the provider knows you as ${person.name}, but nothing in your ${JSON.stringify(roleClaim)} gives you a role here: ask who runs this console`,
  );
}

interface Looking {
  /** Begins to look unless it is known since lately, or was away a moment ago; what is known holds meanwhile. */
  look(): 'ready' | 'away';
  /** Throws while it is away. */
  found(): Promise<Provider>;
}

function openProvider(settings: OidcSettings, { now, stopping, log }: OidcParts): Looking {
  let known: Provider | undefined;
  let looking: Promise<void> | undefined;
  let againAt = 0;
  const { issuer } = settings;
  const begin = (): Promise<void> =>
    discover(settings, stopping)
      .then((provider) => {
        if (!known) log.info({ issuer }, 'people may sign in at the OpenID Connect provider');
        known = provider;
        againAt = now() + LOOK_ANEW_MS;
      })
      .catch((err: unknown) => {
        againAt = now() + LOOK_AGAIN_MS;
        if (stopping.aborted) return;
        if (known) log.warn({ err, issuer }, 'the OpenID Connect provider is away: what it told before holds');
        else log.error({ err, issuer }, 'the OpenID Connect provider is away: people sign in with passwords');
      })
      .finally(() => (looking = undefined));
  const look = (): 'ready' | 'away' => {
    if (!isStillAhead(againAt, now(), LOOK_ANEW_MS)) looking ??= begin();
    return known ? 'ready' : 'away';
  };
  return {
    look,
    async found() {
      look();
      if (!known) await looking;
      if (known) return known;
      throw new Refusal(
        'unavailable',
        'the OpenID Connect provider cannot be asked now: sign in with name and password, or try again later',
      );
    },
  };
}
