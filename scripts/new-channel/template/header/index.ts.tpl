import { defineChannel, openHeaderSession, originsOf, tokenKey } from '@pushfleet/channel-kit';
import { readAnswer } from './answer';
import { ENDPOINTS, SEND_PATH } from './endpoints';
import { profileSchema, type __Name__Profile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH } from './request';
import { parseSection } from './section';
import { fetchToken } from './token';

/** What the vendor allows the smallest app, with the document that says so. */
const BUDGET = { requestsPerSecond: 100 };

export const __name__ = defineChannel<__Name__Profile>({
  vendor: '__name__',
  names: { en: '__Name__', 'zh-CN': '__Name__' },
  capabilities: { passThrough: true, maxBatch: MAX_BATCH, receipts: true, deduplicates: 'no-call' },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  profileSchema,
  parseSection,
  open: (profile, deps) =>
    openHeaderSession(
      {
        tokenKey: tokenKey('__name__', profile.appId, profile.appSecret),
        url: `${originsOf(ENDPOINTS, deps).__NAME___PUSH_URL}${SEND_PATH}`,
        fetchToken: (signal) => fetchToken(profile, deps, signal),
        headers: (token) => ({ 'x-__name__-token': token }),
        build: (batch) => buildRequest(batch, profile),
        read: readAnswer,
      },
      deps,
    ),
  parseReceipt,
});
