import { defineChannel, openFormSession } from '@pushfleet/channel-kit';
import { answers } from './answer';
import { ENDPOINTS, originOf } from './endpoints';
import { profileSchema, type MiProfile } from './profile';
import { parseReceipt } from './receipt';
import { buildRequest, MAX_PAYLOAD_BYTES, packageField } from './request';
import { APP_DATA, parseSection } from './section';
import { warningsFor } from './warnings';

/** Below 100,000 active devices ("Message limits", 2026-02-04). */
const BUDGET = { requestsPerSecond: 500 };

export const mi = defineChannel<MiProfile>({
  vendor: 'mi',
  names: { en: 'Xiaomi', 'zh-CN': '小米' },
  capabilities: {
    passThrough: true,
    maxBatch: 1000,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    payloadLimit: `${MAX_PAYLOAD_BYTES} bytes of \`payload\``,
    receipts: true,
    deduplicates: 'every-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { AppId: 'appId', AppSecret: 'appSecret' },
  profileSchema,
  parseSection,
  appData: APP_DATA,
  warningsFor,
  open(profile, deps) {
    const origin = originOf(deps.origins, profile.region);
    return openFormSession(
      {
        url: `${origin}/v3/message/regid`,
        headers: { authorization: `key=${profile.appSecret}` },
        build: (batch) => buildRequest(batch, profile),
        checkUrl: () => `${origin}/v1/trace/quota/get?${new URLSearchParams(packageField(profile)).toString()}`,
        ...answers,
      },
      deps,
    );
  },
  parseReceipt,
});
