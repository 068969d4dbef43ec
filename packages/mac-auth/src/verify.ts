import { timingSafeEqual } from 'node:crypto';
import { MacRefusal } from './mac-refusal';
import type { PublicOrigins } from './public-origins';
import { signRequest, type MacHeader, type MacSecret } from './sign';

/** A request as it came in. */
export interface ReceivedRequest {
  readonly header: MacHeader;
  /** In upper case. */
  readonly method: string;
  /** The raw request target: path and query exactly as sent. */
  readonly uri: string;
  /** The Host header; never trusted. */
  readonly hostHeader?: string | undefined;
}

export interface MacCredential extends MacSecret {
  /** Names the key for good: nonces are counted under it, whichever of its names the caller used. */
  readonly id: string;
}

/** May be used once. */
export interface NonceUse {
  readonly id: string;
  readonly ts: string;
  readonly nonce: string;
}

export interface Redeemed {
  /** False when this use of the nonce was seen before, by any replica. */
  readonly isFirstUse: boolean;
}

export interface VerifyPorts<Credential extends MacCredential, Redemption extends Redeemed> {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Greatest distance of `ts` from the clock, either way, in milliseconds. */
  readonly windowMs: number;
  readonly origins: PublicOrigins;
  find(id: string): Promise<Credential | undefined>;
  /** Called when the MAC holds: records the nonce, for at least twice the window. Throws to refuse the credential. */
  redeem(use: NonceUse, credential: Credential): Promise<Redemption>;
}

/** Takes the place of a key that does not exist, so that its absence cannot be told from the time of the answer. */
const DECOY: MacSecret = { macKey: 'no access token has this key', macAlgorithm: 'hmac-sha-1' };

const DENIED = 'the access token is not valid, or the mac is not that of this request';

/**
 * Checks a request whose header was parsed, in this order: timestamp, token, MAC, nonce. A stranger can therefore
 * neither use up nonces nor fill the store of them. Resolves with what `redeem` gave. Throws `MacRefusal`:
 * `invalid_time`, `access_denied` (unknown token and wrong MAC look the same), `replay_attacks`.
 */
export async function verifyMac<Credential extends MacCredential, Redemption extends Redeemed>(
  request: ReceivedRequest,
  ports: VerifyPorts<Credential, Redemption>,
): Promise<Redemption> {
  const { id, ts, nonce } = request.header;
  if (!isTimely(ts, ports)) throw new MacRefusal('invalid_time', 'ts is too far from the time of the server');
  const credential = await ports.find(id);
  const holds = isSignedBy(credential ?? DECOY, request, ports.origins);
  if (credential === undefined || !holds) throw new MacRefusal('access_denied', DENIED);
  const redemption = await ports.redeem({ id: credential.id, ts, nonce }, credential);
  if (!redemption.isFirstUse) throw new MacRefusal('replay_attacks', 'this request has been used before');
  return redemption;
}

/** In whole seconds, as `ts` is; both edges belong to the window. */
function isTimely(ts: string, { now, windowMs }: { readonly now: () => number; readonly windowMs: number }): boolean {
  return Math.abs(Math.floor(now() / 1000) - Number(ts)) * 1000 <= windowMs;
}

function isSignedBy(secret: MacSecret, { header, method, uri, hostHeader }: ReceivedRequest, origins: PublicOrigins) {
  const { ts, nonce, mac } = header;
  const given = Buffer.from(mac);
  return origins.candidates(hostHeader).some(({ host, port }) => {
    const expected = Buffer.from(signRequest({ ts, nonce, method, uri, host, port }, secret));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
