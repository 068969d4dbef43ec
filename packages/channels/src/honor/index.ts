import { defineChannel, openBearerSession, originsOf, tokenKey } from '@pushfleet/channel-kit';
import { readAnswer } from './answer';
import { ENDPOINTS } from './endpoints';
import { profileSchema, type HonorProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH } from './request';
import { APP_DATA, parseSection } from './section';
import { warningsFor } from './warnings';

/** Of every app (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 3000 };

const MARGIN_MS = 60_000;

export const honor = defineChannel<HonorProfile>({
  vendor: 'honor',
  names: { en: 'Honor', 'zh-CN': '荣耀' },
  capabilities: {
    passThrough: true,
    maxBatch: MAX_BATCH,
    receipts: true,
    deduplicates: 'no-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: {
    'APP ID': 'appId',
    'APP Secret': 'appSecret',
    'Client ID': 'clientId',
    'Client Secret': 'clientSecret',
  },
  profileSchema,
  parseSection,
  appData: APP_DATA,
  warningsFor,
  /** A token is bound to the app that it was first used for: profiles share one only for the same app. */
  open(profile, deps) {
    const { appId, clientId, clientSecret } = profile;
    const { HONOR_AUTH_URL, HONOR_PUSH_URL } = originsOf(ENDPOINTS, deps);
    return openBearerSession(
      {
        grant: { marginMs: MARGIN_MS, url: `${HONOR_AUTH_URL}/auth/token`, clientId, clientSecret },
        tokenKey: tokenKey('honor', appId, clientId, clientSecret),
        url: `${HONOR_PUSH_URL}/api/v1/${encodeURIComponent(appId)}/sendMessage`,
        headers: () => ({ timestamp: String(deps.now()) }),
        build: (batch) => buildRequest(batch, profile),
        read: readAnswer,
      },
      deps,
    );
  },
  parseReceipt,
});
