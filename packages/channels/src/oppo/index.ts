import { defineChannel, FORM_TYPE, openTokenSession, originsOf, tokenKey } from '@pushfleet/channel-kit';
import { ANSWERS, type Answer } from './answer';
import { TOKEN_REFUSED } from './codes';
import { discardOf, openDelivery } from './deliver';
import { ENDPOINTS, SAVE_PATH } from './endpoints';
import { profileSchema, type OppoProfile } from './profile';
import { parseReceipt } from './receipt';
import {
  CALLBACK_URL_BYTES,
  MAX_BATCH,
  notificationOf,
  PARAMETERS_POINTS,
  type Form,
  type Notification,
} from './request';
import { parseSection } from './section';
import { fetchToken } from './token';

/** Below ten million users; counts target devices (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { devicesPerSecond: 5000 };

export const oppo = defineChannel<OppoProfile>({
  vendor: 'oppo',
  names: { en: 'OPPO', 'zh-CN': 'OPPO' },
  capabilities: {
    passThrough: false,
    maxBatch: MAX_BATCH,
    maxPayloadBytes: PARAMETERS_POINTS,
    payloadLimit: `${PARAMETERS_POINTS} characters of \`action_parameters\``,
    receipts: true,
    maxReceiptUrlBytes: CALLBACK_URL_BYTES,
    deduplicates: 'single-device',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { 'app key': 'appKey', 'master secret': 'masterSecret' },
  profileSchema,
  parseSection,
  open: (profile, deps) =>
    openTokenSession<Notification, Form, Answer>(
      {
        name: 'oppo',
        origin: originsOf(ENDPOINTS, deps).OPPO_PUSH_URL,
        tokenKey: tokenKey('oppo', profile.appKey, profile.masterSecret),
        ...ANSWERS,
        fetchToken: (signal) => fetchToken(profile, deps, signal),
        write: (form, token) => ({
          headers: { 'content-type': FORM_TYPE },
          body: new URLSearchParams({ auth_token: token, ...form }).toString(),
        }),
        isHarmless: (path) => path === SAVE_PATH,
        isTokenRefused: ({ code }) => TOKEN_REFUSED.has(code),
        refusal: '11',
        compose: (batch) => notificationOf(batch, profile),
        discardOf,
        deliver: openDelivery(deps.now),
      },
      deps,
    ),
  parseReceipt,
});
