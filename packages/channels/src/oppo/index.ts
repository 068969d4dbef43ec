import {
  ChannelFault,
  defineChannel,
  openSavedContents,
  parseAnswer,
  tokenKey,
  verifyByToken,
  withNotes,
  withToken,
  type ChannelDeps,
  type ChannelSession,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { type Discarded, type Outcome } from '@pushfleet/domain';
import {
  answerSchema,
  faultOf,
  readBroadcast,
  readSaved,
  readUnicast,
  readUnicastBatch,
  type Answer,
  type Sent,
} from './answer';
import { DUPLICATE, SAVED_MESSAGE_GONE, TOKEN_REFUSED } from './codes';
import { BROADCAST_PATH, ENDPOINTS, FORM_TYPE, SAVE_PATH, UNICAST_BATCH_PATH, UNICAST_PATH } from './endpoints';
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
  type Notification,
} from './request';
import { parseSection } from './section';
import { fetchToken } from './token';

const SAVED_MESSAGES = 300;

/** Below ten million users; counts target devices (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { devicesPerSecond: 5000 };

export const oppo = defineChannel<OppoProfile>({
  name: 'oppo',
  vendor: 'oppo',
  successesField: 'oppoSuccesses',
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

type Form = Readonly<Record<string, string>>;
type Call = (path: string, form: Form) => Promise<Answer>;

function openSession(profile: OppoProfile, deps: ChannelDeps): ChannelSession {
  const saved = openSavedContents(SAVED_MESSAGES);
  return {
    async send(batch, signal) {
      const notification = notificationOf(batch, profile);
      const discard = discardBeforeCall(batch, notification);
      if (discard) return batch.registrationIds.map(() => discard);
      const call = openCall(profile, deps, signal);
      const { registrationIds } = batch;
      const sent = { registrationIds, truncated: notification.cut.length > 0, now: deps.now() };
      return withNotes(await sendBy({ batch, notification, call }, sent), notification.notes);
    },
    verify: (signal) => verifyByToken(() => fetchToken(profile, deps, signal)),
  };

  async function sendBy(sending: Sending, sent: Sent): Promise<readonly Outcome[]> {
    const { batch, notification, call } = sending;
    switch (roadOf(notification, batch.registrationIds.length)) {
      case 'unicast':
        return readUnicast(await call(UNICAST_PATH, unicastForm(notification, batch)), sent);
      case 'unicast-batch':
        return readUnicastBatch(await call(UNICAST_BATCH_PATH, unicastBatchForm(notification, batch)), sent);
      case 'broadcast':
        return readBroadcast(await broadcast(sending), sent);
    }
  }

  /** A saved message that the vendor forgot is saved once more, under another id of ours. */
  async function broadcast(sending: Sending): Promise<Answer> {
    const { batch, notification, call } = sending;
    const key = savedMessageKey(notification, batch.pushId);
    const first = await saved.get(key, () => saveMessage(sending, batch.pushId));
    const answer = await call(BROADCAST_PATH, broadcastForm(first, batch.registrationIds));
    if (answer.code !== SAVED_MESSAGE_GONE) return answer;
    await saved.drop(key, first);
    const second = await saved.get(key, () => saveMessage(sending, batch.batchId));
    return call(BROADCAST_PATH, broadcastForm(second, batch.registrationIds));
  }

  async function saveMessage({ batch, notification, call }: Sending, appMessageId: string): Promise<string> {
    const known = readSaved(await call(SAVE_PATH, saveForm(notification, appMessageId)), deps.now());
    if (known !== undefined) return known;
    const again = readSaved(await call(SAVE_PATH, saveForm(notification, batch.batchId)), deps.now());
    if (again !== undefined) return again;
    throw faultOf({ code: DUPLICATE, message: 'the saved message has no id' }, deps.now());
  }
}

interface Sending {
  readonly batch: PushBatch;
  readonly notification: Notification;
  readonly call: Call;
}

function openCall(profile: OppoProfile, deps: ChannelDeps, signal: AbortSignal): Call {
  const origin = deps.origins['OPPO_PUSH_URL'] ?? ENDPOINTS.OPPO_PUSH_URL;
  const access = {
    key: tokenKey('oppo', profile.appKey, profile.masterSecret),
    fetchToken: () => fetchToken(profile, deps, signal),
  };
  return async (path, form) => {
    const answer = await withToken<Answer>(deps.tokens, access, async (token) => {
      const body = new URLSearchParams({ auth_token: token, ...form }).toString();
      const headers = { 'content-type': FORM_TYPE };
      const isHarmless = path === SAVE_PATH;
      const url = `${origin}${path}`;
      const response = await deps.http.request({ method: 'POST', url, headers, body, signal, isHarmless });
      const read = parseAnswer(answerSchema, response);
      return TOKEN_REFUSED.has(read.code) ? 'token-expired' : read;
    });
    if (answer !== 'token-expired') return answer;
    throw new ChannelFault('credentials-rejected', 'oppo refused a fresh access token', { vendorCode: '11' });
  };
}

function discardBeforeCall({ message, app }: PushBatch, notification: Notification): Discarded | undefined {
  if (message.silent) return { kind: 'discarded', reason: 'silent-unsupported' };
  if (isTooLarge(notification)) return { kind: 'discarded', reason: 'payload-too-large' };
  if (lacksText(notification))
    return { kind: 'discarded', reason: 'message-rejected', vendorMessage: 'no text to show' };
  if (app.overlong === 'truncate' || notification.cut.length === 0) return undefined;
  const vendorMessage = `${notification.cut.join(', ')}: over the limit of oppo`;
  return { kind: 'discarded', reason: 'message-rejected', vendorMessage };
}
