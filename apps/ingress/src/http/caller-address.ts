import { addressOf, isPrivateAddress, networkOf } from '@pushfleet/service-kit';
import { type HttpRequest } from '@pushfleet/http-edge';

export type CallerAddress = (req: HttpRequest) => string | undefined;

/**
 * Whose calls are counted together. A private peer is most likely a proxy that nobody told us of, and stands for everybody
 * behind it: it is not counted as long as no proxy is trusted.
 */
export function openCallerAddress(proxyHops: number): CallerAddress {
  return (req) => {
    const address = addressOf(req, proxyHops);
    return proxyHops === 0 && isPrivateAddress(address) ? undefined : networkOf(address);
  };
}
