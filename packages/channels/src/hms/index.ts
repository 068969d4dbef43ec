import { defineChannel, openBearerSession, originsOf, tokenKey } from '@pushfleet/channel-kit';
import { readAnswer } from './answer';
import { ENDPOINTS } from './endpoints';
import { profileSchema, type HmsProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH, MAX_PAYLOAD_BYTES } from './request';
import { APP_DATA, parseSection } from './section';
import { warningsFor } from './warnings';

/** At least, whatever the app (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 6000 };

/** A token lives for an hour. The vendor tells with `sub_error` which part of the credentials is wrong. */
const GRANT = { marginMs: 180_000, errorDetail: 'sub_error' };

export const hms = defineChannel<HmsProfile>({
  vendor: 'HMS',
  names: { en: 'Huawei', 'zh-CN': '华为' },
  capabilities: {
    passThrough: true,
    maxBatch: MAX_BATCH,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    receipts: true,
    deduplicates: 'no-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { AppId: 'appId', AppSecret: 'appSecret', 'Android Intent Hostname': 'intentHost' },
  profileSchema,
  receiptIdField: 'receiptId',
  parseSection,
  appData: APP_DATA,
  warningsFor,
  open(profile, deps) {
    const { appId, appSecret } = profile;
    const { HMS_AUTH_URL, HMS_PUSH_URL } = originsOf(ENDPOINTS, deps);
    return openBearerSession(
      {
        grant: { ...GRANT, url: `${HMS_AUTH_URL}/oauth2/v3/token`, clientId: appId, clientSecret: appSecret },
        tokenKey: tokenKey('hms', appId, appSecret),
        url: `${HMS_PUSH_URL}/v1/${encodeURIComponent(appId)}/messages:send`,
        build: (batch) => buildRequest(batch, profile),
        read: readAnswer,
      },
      deps,
    );
  },
  parseReceipt,
});
