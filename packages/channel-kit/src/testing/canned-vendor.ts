import type { ChannelDeps } from '../channel';
import { openTokenCache } from '../token-cache';
import type { VendorRequest } from '../http-exchange';
import { responseWith } from './answer-fixtures';
import { memoryTokenStore } from './memory-token-store';

/** A vendor that gives one answer to everything, and keeps what it was asked. */
export interface CannedVendor extends ChannelDeps {
  readonly requests: readonly VendorRequest[];
}

export function cannedVendor(body: string, at: number, origins: ChannelDeps['origins']): CannedVendor {
  const requests: VendorRequest[] = [];
  const now = (): number => at;
  const http = {
    request(request: VendorRequest) {
      requests.push(request);
      return Promise.resolve(responseWith(body));
    },
    close: () => Promise.resolve(),
  };
  return { requests, now, tokens: openTokenCache(memoryTokenStore(), now), origins, http };
}
