import { defineChannel, openBearerSession, originsOf, tokenKey } from '@pushfleet/channel-kit';
import { readAnswer } from './answer';
import { ENDPOINTS, SEND_PATH, TOKEN_PATH } from './endpoints';
import { profileSchema, type __Name__Profile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH } from './request';
import { parseSection } from './section';

/** What the vendor allows the smallest app, with the document that says so. */
const BUDGET = { requestsPerSecond: 100 };

/** A token is given up this much before the vendor does. */
const MARGIN_MS = 60_000;

export const __name__ = defineChannel<__Name__Profile>({
  vendor: '__name__',
  names: { en: '__Name__', 'zh-CN': '__Name__' },
  capabilities: { passThrough: true, maxBatch: MAX_BATCH, receipts: true, deduplicates: 'no-call' },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  profileSchema,
  parseSection,
  open(profile, deps) {
    const { appId, appSecret } = profile;
    const { __NAME___AUTH_URL, __NAME___PUSH_URL } = originsOf(ENDPOINTS, deps);
    return openBearerSession(
      {
        grant: { url: `${__NAME___AUTH_URL}${TOKEN_PATH}`, clientId: appId, clientSecret: appSecret, marginMs: MARGIN_MS },
        tokenKey: tokenKey('__name__', appId, appSecret),
        url: `${__NAME___PUSH_URL}${SEND_PATH}`,
        build: (batch) => buildRequest(batch, profile),
        read: readAnswer,
      },
      deps,
    );
  },
  parseReceipt,
});
