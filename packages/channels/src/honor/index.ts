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
import { profileSchema, type HonorProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH } from './request';
import { parseSection } from './section';
import { warningsFor } from './warnings';

/** Of every app (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 3000 };

const MARGIN_MS = 60_000;

export const honor = defineChannel<HonorProfile>({
  name: 'honor',
  vendor: 'honor',
  successesField: 'honorSuccesses',
  capabilities: {
    passThrough: true,
    maxBatch: MAX_BATCH,
    receipts: true,
    deduplicates: 'no-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  profileSchema,
  parseSection,
  warningsFor,
  open: openSession,
  parseReceipt,
});

/** A token is bound to the app that it was first used for: profiles share one only for the same app. */
function openSession(profile: HonorProfile, deps: ChannelDeps): ChannelSession {
  const { appId, clientId, clientSecret } = profile;
  const authOrigin = deps.origins['HONOR_AUTH_URL'] ?? ENDPOINTS.HONOR_AUTH_URL;
  const pushOrigin = deps.origins['HONOR_PUSH_URL'] ?? ENDPOINTS.HONOR_PUSH_URL;
  const vendor: BearerVendor = {
    grant: { marginMs: MARGIN_MS, url: `${authOrigin}/auth/token`, clientId, clientSecret },
    tokenKey: tokenKey('honor', appId, clientId, clientSecret),
    url: `${pushOrigin}/api/v1/${encodeURIComponent(appId)}/sendMessage`,
    headers: () => ({ timestamp: String(deps.now()) }),
    build: (batch) => buildRequest(batch, profile),
    read: readAnswer,
  };
  return openBearerSession(vendor, deps);
}
