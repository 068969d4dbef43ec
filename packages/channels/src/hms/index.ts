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
import { profileSchema, type HmsProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_BATCH, MAX_PAYLOAD_BYTES } from './request';
import { parseSection } from './section';
import { requestToken } from './token';
import { warningsFor } from './warnings';

/** At least, whatever the app (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 6000 };

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
  secretFields: ['appSecret', 'receiptSecret'],
  parseSection,
  warningsFor,
  open: openSession,
  parseReceipt,
});

function openSession(profile: HmsProfile, { http, tokens, now, origins }: ChannelDeps): ChannelSession {
  const origin = origins['HMS_AUTH_URL'] ?? ENDPOINTS.HMS_AUTH_URL;
  const pushOrigin = origins['HMS_PUSH_URL'] ?? ENDPOINTS.HMS_PUSH_URL;
  const url = `${pushOrigin}/v1/${encodeURIComponent(profile.appId)}/messages:send`;
  const key = tokenKey(profile);
  const fetchToken = (signal: AbortSignal) => () => requestToken({ http, origin, now, profile }, signal);

  return {
    async send(batch, signal) {
      const request = buildRequest(batch, profile);
      if (request.kind === 'discarded') return batch.registrationIds.map(() => request);
      const last: { refusal?: VendorVerdict } = {};
      const outcomes = await withToken(tokens, { key, fetchToken: fetchToken(signal) }, async (token) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=UTF-8' };
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

/** Profiles share a token only when they know the same secret. */
function tokenKey({ appId, appSecret }: HmsProfile): string {
  const digest = createHash('sha256').update(`${appId}\n${appSecret}`).digest('hex');
  return `hms-${digest.slice(0, 32)}`;
}
