import { DAY_MS } from '@pushfleet/domain';
import { defineChannel, withNotes, type ChannelDeps, type ChannelSession } from '@pushfleet/channel-kit';
import { readAnswer, readCheck } from './answer';
import { ENDPOINTS } from './endpoints';
import { profileSchema, type MzProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_CALLBACK_BYTES } from './request';
import { parseSection } from './section';
import { signed } from './sign';

const API = '/garcia/api/server/push';

/** Unless the vendor granted more (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 200 };

export const mz = defineChannel<MzProfile>({
  name: 'mz',
  vendor: 'mz',
  successesField: 'meizuSuccesses',
  capabilities: {
    passThrough: false,
    maxBatch: 100,
    receipts: true,
    maxReceiptUrlBytes: MAX_CALLBACK_BYTES,
    deduplicates: 'no-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { AppId: 'appId', AppSecret: 'appSecret' },
  profileSchema,
  parseSection,
  open: openSession,
  parseReceipt,
});

function openSession(profile: MzProfile, { http, now, origins }: ChannelDeps): ChannelSession {
  const origin = origins['MZ_PUSH_URL'] ?? ENDPOINTS.MZ_PUSH_URL;
  return {
    async send(batch, signal) {
      const request = buildRequest(batch, profile);
      if (request.kind === 'discarded') return batch.registrationIds.map(() => request);
      const response = await http.request({
        method: 'POST',
        url: `${origin}${API}/varnished/pushByPushId`,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: request.body,
        signal,
      });
      const { registrationIds } = batch;
      const outcomes = readAnswer(response, { registrationIds, truncated: request.truncated, now: now() });
      return withNotes(outcomes, request.notes);
    },
    /** Yesterday's statistics: signed like a push and read-only. */
    async verify(signal) {
      const day = dayBefore(now());
      const query = signed({ appId: profile.appId, startTime: day, endTime: day }, profile.appSecret);
      const url = `${origin}${API}/statistics/dailyPushStatics?${query}`;
      return readCheck(await http.request({ method: 'GET', url, signal }), now());
    },
  };
}

const dayBefore = (now: number): string => new Date(now - DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
