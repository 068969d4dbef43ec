import { createHash } from 'node:crypto';
import {
  ChannelFault,
  defineChannel,
  isChannelFault,
  withNotes,
  withToken,
  type ChannelDeps,
  type ChannelSession,
  type CredentialCheck,
} from '@pushfleet/channel-kit';
import { type VendorVerdict } from '@pushfleet/domain';
import { readAnswer } from './answer';
import { ENDPOINTS } from './endpoints';
import { profileSchema, type HonorProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH } from './request';
import { parseSection } from './section';
import { requestToken } from './token';
import { warningsFor } from './warnings';

/** Of every app (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 3000 };

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
  secretFields: ['appSecret', 'clientSecret'],
  parseSection,
  warningsFor,
  open: openSession,
  parseReceipt,
});

function openSession(profile: HonorProfile, { http, tokens, now, origins }: ChannelDeps): ChannelSession {
  const origin = origins['HONOR_AUTH_URL'] ?? ENDPOINTS.HONOR_AUTH_URL;
  const pushOrigin = origins['HONOR_PUSH_URL'] ?? ENDPOINTS.HONOR_PUSH_URL;
  const url = `${pushOrigin}/api/v1/${encodeURIComponent(profile.appId)}/sendMessage`;
  const key = tokenKey(profile);
  const fetchToken = (signal: AbortSignal) => () => requestToken({ http, origin, now, profile }, signal);
  const headersFor = (token: string): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json; charset=UTF-8',
    timestamp: String(now()),
  });

  return {
    async send(batch, signal) {
      const request = buildRequest(batch, profile);
      if (request.kind === 'discarded') return batch.registrationIds.map(() => request);
      const last: { refusal?: VendorVerdict } = {};
      const outcomes = await withToken(tokens, { key, fetchToken: fetchToken(signal) }, async (token) => {
        const headers = headersFor(token);
        const response = await http.request({ method: 'POST', url, headers, body: request.body, signal });
        const reading = readAnswer(response, batch.registrationIds);
        if (reading.kind === 'outcomes') return withNotes(reading.outcomes, request.notes);
        last.refusal = reading;
        return 'token-expired';
      });
      if (outcomes !== 'token-expired') return outcomes;
      throw new ChannelFault('credentials-rejected', 'a fresh token was refused', last.refusal);
    },
    verify: (signal) => verify(fetchToken(signal)),
  };
}

async function verify(fetchToken: () => Promise<unknown>): Promise<CredentialCheck> {
  try {
    await fetchToken();
    return { ok: true };
  } catch (error) {
    if (!isChannelFault(error) || error.code !== 'credentials-rejected') throw error;
    return { ok: false, vendorCode: error.vendorCode, vendorMessage: error.vendorMessage };
  }
}

/** Profiles share a token only when they know the same secret and send for the same app, which a token is bound to. */
function tokenKey({ appId, clientId, clientSecret }: HonorProfile): string {
  const digest = createHash('sha256').update(`${appId}\n${clientId}\n${clientSecret}`).digest('hex');
  return `honor-${digest.slice(0, 32)}`;
}
