import type { ChannelDeps } from './channel';
import type { VendorSession } from './vendor-session';
import { requestToken, type TokenGrant } from './client-credentials';
import { openHeaderSession, type HeaderVendor } from './header-session';

/** A vendor that takes JSON with a bearer token, which it grants for client credentials. */
export interface BearerVendor extends Omit<HeaderVendor, 'fetchToken' | 'headers'> {
  readonly grant: TokenGrant;
  /** Headers of the vendor's own. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

export function openBearerSession({ grant, headers, ...vendor }: BearerVendor, deps: ChannelDeps): VendorSession {
  return openHeaderSession(
    {
      ...vendor,
      fetchToken: (signal) => requestToken(grant, deps, signal),
      headers: (token) => ({ authorization: `Bearer ${token}`, ...headers?.() }),
    },
    deps,
  );
}
