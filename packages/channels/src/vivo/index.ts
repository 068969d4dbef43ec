import { defineChannel, openTokenSession, originsOf, tokenKey } from '@pushfleet/channel-kit';
import { ANSWERS, type Answer } from './answer';
import { TOKEN_REFUSED } from './codes';
import { discardOf, openDelivery } from './deliver';
import { ENDPOINTS, SAVE_PATH } from './endpoints';
import { profileSchema, type VivoProfile } from './profile';
import { parseReceipt } from './receipt';
import { CALLBACK_LENGTH, MAX_BATCH, payloadOf, type Payload } from './request';
import { APP_DATA, parseSection } from './section';
import { fetchToken } from './token';
import { warningsFor } from './warnings';

/** Below five million enabled users (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 3000 };

export const vivo = defineChannel<VivoProfile>({
  vendor: 'vivo',
  names: { en: 'vivo', 'zh-CN': 'vivo' },
  capabilities: {
    passThrough: false,
    maxBatch: MAX_BATCH,
    receipts: true,
    maxReceiptUrlBytes: CALLBACK_LENGTH,
    deduplicates: 'every-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { secret: 'appSecret' },
  profileSchema,
  receiptIdField: 'callbackId',
  parseSection,
  appData: APP_DATA,
  warningsFor,
  open: (profile, deps) =>
    openTokenSession<Payload, string, Answer>(
      {
        name: 'vivo',
        origin: originsOf(ENDPOINTS, deps).VIVO_PUSH_URL,
        tokenKey: tokenKey('vivo', profile.appId, profile.appKey, profile.appSecret),
        ...ANSWERS,
        fetchToken: (signal) => fetchToken(profile, deps, signal),
        write: (body, authToken) => ({
          headers: { 'content-type': 'application/json;charset=UTF-8', authToken },
          body,
        }),
        isHarmless: (path) => path === SAVE_PATH,
        isTokenRefused: ({ result }) => result === TOKEN_REFUSED,
        refusal: TOKEN_REFUSED,
        compose: (batch) => payloadOf(batch, profile),
        discardOf,
        deliver: openDelivery(deps.now),
      },
      deps,
    ),
  parseReceipt,
});
