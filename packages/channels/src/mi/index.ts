import { defineChannel, withNotes, type ChannelDeps, type ChannelSession } from '@pushfleet/channel-kit';
import { readAnswer, readCheck } from './answer';
import { ENDPOINTS, originOf } from './endpoints';
import { profileSchema, type MiProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_PAYLOAD_BYTES, packageField } from './request';
import { parseSection } from './section';
import { warningsFor } from './warnings';

/** Below 100,000 active devices ("Message limits", 2026-02-04). */
const BUDGET = { requestsPerSecond: 500 };

export const mi = defineChannel<MiProfile>({
  name: 'mi',
  vendor: 'mi',
  successesField: 'miSuccesses',
  capabilities: {
    passThrough: true,
    maxBatch: 1000,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    receipts: true,
    deduplicates: 'every-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { AppId: 'appId', AppSecret: 'appSecret' },
  profileSchema,
  parseSection,
  warningsFor,
  open: openSession,
  parseReceipt,
});

function openSession(profile: MiProfile, { http, now, origins }: ChannelDeps): ChannelSession {
  const origin = originOf(origins, profile.region);
  const authorization = `key=${profile.appSecret}`;
  return {
    async send(batch, signal) {
      const request = buildRequest(batch, profile);
      if (request.kind === 'discarded') return batch.registrationIds.map(() => request);
      const response = await http.request({
        method: 'POST',
        url: `${origin}/v3/message/regid`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: request.body,
        signal,
      });
      const { registrationIds } = batch;
      const outcomes = readAnswer(response, { registrationIds, truncated: request.truncated, now: now() });
      return withNotes(outcomes, request.notes);
    },
    async verify(signal) {
      const query = new URLSearchParams(packageField(profile)).toString();
      const url = `${origin}/v1/trace/quota/get?${query}`;
      return readCheck(await http.request({ method: 'GET', url, headers: { authorization }, signal }), now());
    },
  };
}
