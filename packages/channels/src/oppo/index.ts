import {
  defineChannel,
  discarded,
  FORM_TYPE,
  openSavedContents,
  openTokenSession,
  originsOf,
  tokenKey,
  type ChannelDeps,
  type ChannelSession,
  type Delivery,
  type PushBatch,
  type Sent,
} from '@pushfleet/channel-kit';
import { type Discarded, type Outcome } from '@pushfleet/domain';
import { answerSchema, faultOf, readBroadcast, readSaved, readUnicast, readUnicastBatch, type Answer } from './answer';
import { DUPLICATE, SAVED_MESSAGE_GONE, TOKEN_REFUSED } from './codes';
import { BROADCAST_PATH, ENDPOINTS, SAVE_PATH, UNICAST_BATCH_PATH, UNICAST_PATH } from './endpoints';
import { profileSchema, type OppoProfile } from './profile';
import { parseReceipt } from './receipt';
import {
  broadcastForm,
  CALLBACK_URL_BYTES,
  isTooLarge,
  lacksText,
  MAX_BATCH,
  notificationOf,
  PARAMETERS_POINTS,
  roadOf,
  savedMessageKey,
  saveForm,
  unicastBatchForm,
  unicastForm,
  type Form,
  type Notification,
} from './request';
import { parseSection } from './section';
import { fetchToken } from './token';

const SAVED_MESSAGES = 300;

/** Below ten million users; counts target devices (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { devicesPerSecond: 5000 };

export const oppo = defineChannel<OppoProfile>({
  vendor: 'oppo',
  capabilities: {
    passThrough: false,
    maxBatch: MAX_BATCH,
    maxPayloadBytes: PARAMETERS_POINTS,
    receipts: true,
    maxReceiptUrlBytes: CALLBACK_URL_BYTES,
    deduplicates: 'single-device',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  profileSchema,
  parseSection,
  open: openSession,
  parseReceipt,
});

type Sending = Delivery<Notification, Form, Answer>;

function openSession(profile: OppoProfile, deps: ChannelDeps): ChannelSession {
  const saved = openSavedContents(SAVED_MESSAGES);
  return openTokenSession<Notification, Form, Answer>(
    {
      name: 'oppo',
      origin: originsOf(ENDPOINTS, deps).OPPO_PUSH_URL,
      tokenKey: tokenKey('oppo', profile.appKey, profile.masterSecret),
      schema: answerSchema,
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
      deliver,
    },
    deps,
  );

  async function deliver(sending: Sending, sent: Sent): Promise<readonly Outcome[]> {
    const { batch, content, call } = sending;
    switch (roadOf(content, batch.registrationIds.length)) {
      case 'unicast':
        return readUnicast(await call(UNICAST_PATH, unicastForm(content, batch)), sent);
      case 'unicast-batch':
        return readUnicastBatch(await call(UNICAST_BATCH_PATH, unicastBatchForm(content, batch)), sent);
      case 'broadcast':
        return readBroadcast(await broadcast(sending), sent);
    }
  }

  /** A saved message that the vendor forgot is saved once more, under another id of ours. */
  async function broadcast(sending: Sending): Promise<Answer> {
    const { batch, content, call } = sending;
    const key = savedMessageKey(content, batch.pushId);
    const first = await saved.get(key, () => saveMessage(sending, batch.pushId));
    const answer = await call(BROADCAST_PATH, broadcastForm(first, batch.registrationIds));
    if (answer.code !== SAVED_MESSAGE_GONE) return answer;
    await saved.drop(key, first);
    const second = await saved.get(key, () => saveMessage(sending, batch.batchId));
    return call(BROADCAST_PATH, broadcastForm(second, batch.registrationIds));
  }

  async function saveMessage({ batch, content, call }: Sending, appMessageId: string): Promise<string> {
    const known = readSaved(await call(SAVE_PATH, saveForm(content, appMessageId)), deps.now());
    if (known !== undefined) return known;
    const again = readSaved(await call(SAVE_PATH, saveForm(content, batch.batchId)), deps.now());
    if (again !== undefined) return again;
    throw faultOf({ code: DUPLICATE, message: 'the saved message has no id' }, deps.now());
  }
}

function discardOf({ message, app }: PushBatch, notification: Notification): Discarded | undefined {
  if (message.silent) return discarded('silent-unsupported');
  if (isTooLarge(notification)) return discarded('payload-too-large');
  if (lacksText(notification)) return discarded('message-rejected', 'no text to show');
  if (app.overlong === 'truncate' || notification.cut.length === 0) return undefined;
  return discarded('message-rejected', `${notification.cut.join(', ')}: over the limit of oppo`);
}
