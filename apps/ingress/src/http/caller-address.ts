import { addressOf, isPrivateAddress, networkOf } from '@pushfleet/service-kit';
import { type HttpRequest } from '@pushfleet/http-edge';

export type CallerAddress = (req: HttpRequest) => string | undefined;

/**
 * Whose calls are counted together. A private peer is most likely a proxy that nobody told us of, and stands for everybody
 * behind it: it is not counted as long as no proxy is trusted.
 */
export function openCallerAddress(proxyHops: number): CallerAddress {
  if (proxyHops > 0) return (req) => networkOf(addressOf(req, proxyHops));
  // Without a proxy every request of a connection comes from the same caller.
  const known = new WeakMap<HttpRequest['socket'], string | undefined>();
  return (req) => {
    if (!known.has(req.socket)) known.set(req.socket, publicNetworkOf(addressOf(req, 0)));
    return known.get(req.socket);
  };
}

const publicNetworkOf = (address: string): string | undefined =>
  isPrivateAddress(address) ? undefined : networkOf(address);
