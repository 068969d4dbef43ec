import {
  isMacRefusal,
  openPublicOrigins,
  parseMacHeader,
  verifyMac,
  type MacHeader,
  type NonceUse,
  type Redeemed,
} from '@pushfleet/mac-auth';
import { addressOf } from '@pushfleet/service-kit';
import { NONCE_PERIOD_SECONDS, type Store, type StoredMacToken, type TokenState } from '@pushfleet/store';
import { type IncomingMessage } from 'node:http';
import { type LimitFailures } from './limit-failures';
import { Refusal, slowDown } from './problem';

export interface MacPorts {
  readonly store: Pick<Store, 'macTokens' | 'nonces'>;
  readonly publicUrls: readonly string[];
  readonly windowMs: number;
  /** Trusted proxies between the callers and this process. */
  readonly proxyHops: number;
  readonly limits: {
    /** Requests that one token may sign in a minute; 0 = no limit. */
    readonly requestsPerToken: number;
  };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly limitFailures: LimitFailures;
}

/** The token that signed a request. */
export interface MacCaller {
  readonly token: StoredMacToken;
  readonly state: TokenState;
}

/** Resolves with the token that signed the request; throws a refusal otherwise. */
export type RequireMac = (req: IncomingMessage) => Promise<MacCaller>;

export const MAX_URI_LENGTH = 2048;

/** Clocks of replicas differ, and a timestamp counts until its second is over. */
const CLOCK_MARGIN_MS = 5_000;

type Admission = Redeemed & MacCaller;

/** Size and shape are judged here; timestamp, token, MAC, client and nonce, in this order, below `verifyMac`. */
export function openRequireMac(ports: MacPorts): RequireMac {
  const { store, windowMs, proxyHops, now, limitFailures } = ports;
  const origins = openPublicOrigins(ports.publicUrls);
  const find = (id: string): Promise<StoredMacToken | undefined> => store.macTokens.find(id);
  const bounds = {
    lifeMs: 2 * windowMs + CLOCK_MARGIN_MS,
    perPeriod: Math.ceil((ports.limits.requestsPerToken * NONCE_PERIOD_SECONDS) / 60),
  };

  async function redeem(clientId: string, use: NonceUse, token: StoredMacToken): Promise<Admission> {
    if (token.clientId !== clientId) throw wrongClient();
    // Together: the two take one round trip.
    const [claim, state] = await Promise.all([store.nonces.claim(use, bounds), store.macTokens.stateOf(token)]);
    if (!state.hasClient) throw wrongClient();
    if (claim === 'too-many') throw slowDown('this token signs too many requests', msToNextPeriod(now()));
    return { isFirstUse: claim === 'first', token, state };
  }

  async function admit(req: IncomingMessage, header: MacHeader, clientId: string): Promise<MacCaller> {
    const { method = '', url: uri = '', headers } = req;
    const { token, state } = await verifyMac(
      { header, method, uri, hostHeader: headers.host },
      { now, windowMs, origins, find, redeem: (use, token: StoredMacToken) => redeem(clientId, use, token) },
    );
    requireValid(state);
    return { token, state };
  }

  return async (req) => {
    const clientId = clientIdOf(req.url ?? '');
    const header = parseMacHeader(req.headers.authorization);
    try {
      return await admit(req, header, clientId);
    } catch (error) {
      const refusal = isMacRefusal(error) ? new Refusal(error.code, error.message) : error;
      if (!(refusal instanceof Refusal)) throw error;
      throw await limitFailures(refusal, { address: addressOf(req, proxyHops), id: header.id });
    }
  };
}

const PERIOD_MS = NONCE_PERIOD_SECONDS * 1000;
const msToNextPeriod = (now: number): number => PERIOD_MS - (now % PERIOD_MS);

const wrongClient = (): Refusal =>
  new Refusal('invalid_client', 'client_id is not that of an app which this token was issued for');

function clientIdOf(uri: string): string {
  if (uri.length > MAX_URI_LENGTH)
    throw new Refusal('invalid_request', `the address is longer than ${MAX_URI_LENGTH} characters`);
  const mark = uri.indexOf('?');
  const [clientId = '', ...more] = mark < 0 ? [] : new URLSearchParams(uri.slice(mark + 1)).getAll('client_id');
  if (clientId === '') throw new Refusal('invalid_request', 'client_id is missing or empty');
  if (more.length > 0) throw new Refusal('invalid_request', 'client_id is given more than once');
  return clientId;
}

/** User Information API, States: a token ends with the authorization, or when the user's account security changes. */
function requireValid(state: TokenState): void {
  if (!state.isCurrent) throw new Refusal('access_denied', 'the access token is not valid any more');
  if (state.isBlocked) throw new Refusal('forbidden', 'this app may not read this user');
}
