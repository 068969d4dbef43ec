import { DAY_MS } from '@pushfleet/domain';
import { defineChannel, openFormSession, originsOf } from '@pushfleet/channel-kit';
import { answers } from './answer';
import { ENDPOINTS } from './endpoints';
import { profileSchema, type MzProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_CALLBACK_BYTES } from './request';
import { APP_DATA, parseSection } from './section';
import { signed } from './sign';

const API = '/garcia/api/server/push';

/** Unless the vendor granted more (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 200 };

export const mz = defineChannel<MzProfile>({
  vendor: 'mz',
  names: { en: 'Meizu', 'zh-CN': '魅族' },
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
  appData: APP_DATA,
  open(profile, deps) {
    const api = `${originsOf(ENDPOINTS, deps).MZ_PUSH_URL}${API}`;
    return openFormSession(
      {
        url: `${api}/varnished/pushByPushId`,
        build: (batch) => buildRequest(batch, profile),
        /** Yesterday's statistics: signed like a push and read-only. */
        checkUrl() {
          const day = dayBefore(deps.now());
          const query = signed({ appId: profile.appId, startTime: day, endTime: day }, profile.appSecret);
          return `${api}/statistics/dailyPushStatics?${query}`;
        },
        ...answers,
      },
      deps,
    );
  },
  parseReceipt,
});

const dayBefore = (now: number): string => new Date(now - DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
