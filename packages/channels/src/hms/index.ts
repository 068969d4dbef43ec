import {
  defineChannel,
  openBearerSession,
  tokenKey,
  type BearerVendor,
  type ChannelDeps,
  type ChannelSession,
} from '@pushfleet/channel-kit';
import { readAnswer } from './answer';
import { ENDPOINTS } from './endpoints';
import { profileSchema, type HmsProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH, MAX_PAYLOAD_BYTES } from './request';
import { parseSection } from './section';
import { warningsFor } from './warnings';

/** At least, whatever the app (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 6000 };

/** A token lives for an hour. The vendor tells with `sub_error` which part of the credentials is wrong. */
const GRANT = { marginMs: 180_000, errorDetail: 'sub_error' };

export const hms = defineChannel<HmsProfile>({
  name: 'hms',
  vendor: 'HMS',
  successesField: 'hmsSuccesses',
  capabilities: {
    passThrough: true,
    maxBatch: MAX_BATCH,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    receipts: true,
    deduplicates: 'no-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { AppId: 'appId', AppSecret: 'appSecret' },
  profileSchema,
  receiptIdField: 'receiptId',
  parseSection,
  warningsFor,
  open: openSession,
  parseReceipt,
});

function openSession(profile: HmsProfile, deps: ChannelDeps): ChannelSession {
  const { appId, appSecret } = profile;
  const authOrigin = deps.origins['HMS_AUTH_URL'] ?? ENDPOINTS.HMS_AUTH_URL;
  const pushOrigin = deps.origins['HMS_PUSH_URL'] ?? ENDPOINTS.HMS_PUSH_URL;
  const vendor: BearerVendor = {
    grant: { ...GRANT, url: `${authOrigin}/oauth2/v3/token`, clientId: appId, clientSecret: appSecret },
    tokenKey: tokenKey('hms', appId, appSecret),
    url: `${pushOrigin}/v1/${encodeURIComponent(appId)}/messages:send`,
    build: (batch) => buildRequest(batch, profile),
    read: readAnswer,
  };
  return openBearerSession(vendor, deps);
}
