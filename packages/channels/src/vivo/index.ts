import {
  defineChannel,
  discarded,
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
import { answerSchema, readList, readSingle, readTaskId, type Answer } from './answer';
import { SAVED_PAYLOAD_GONE, TOKEN_REFUSED } from './codes';
import { ENDPOINTS, LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { profileSchema, type VivoProfile } from './profile';
import { parseReceipt } from './receipt';
import {
  CALLBACK_LENGTH,
  lacksText,
  listBody,
  MAX_BATCH,
  payloadOf,
  saveBody,
  savedPayloadKey,
  singleBody,
  type Payload,
} from './request';
import { parseSection } from './section';
import { fetchToken } from './token';

const SAVED_PAYLOADS = 300;

/** Below five million enabled users (Alibaba Cloud, help page 616229 "Vendor channel limits", undated). */
const BUDGET = { requestsPerSecond: 3000 };

export const vivo = defineChannel<VivoProfile>({
  vendor: 'vivo',
  capabilities: {
    passThrough: false,
    maxBatch: MAX_BATCH,
    receipts: true,
    maxReceiptUrlBytes: CALLBACK_LENGTH,
    deduplicates: 'every-call',
  },
  budget: BUDGET,
  endpoints: ENDPOINTS,
  aliases: { secret: 'appSecret' },
  profileSchema,
  receiptIdField: 'callbackId',
  parseSection,
  open: openSession,
  parseReceipt,
});

type Sending = Delivery<Payload, string, Answer>;

function openSession(profile: VivoProfile, deps: ChannelDeps): ChannelSession {
  const saved = openSavedContents(SAVED_PAYLOADS);
  return openTokenSession<Payload, string, Answer>(
    {
      name: 'vivo',
      origin: originsOf(ENDPOINTS, deps).VIVO_PUSH_URL,
      tokenKey: tokenKey('vivo', profile.appId, profile.appKey, profile.appSecret),
      schema: answerSchema,
      fetchToken: (signal) => fetchToken(profile, deps, signal),
      write: (body, authToken) => ({ headers: { 'content-type': 'application/json;charset=UTF-8', authToken }, body }),
      isHarmless: (path) => path === SAVE_PATH,
      isTokenRefused: ({ result }) => result === TOKEN_REFUSED,
      refusal: TOKEN_REFUSED,
      compose: (batch) => payloadOf(batch, profile),
      discardOf,
      deliver,
    },
    deps,
  );

  async function deliver(sending: Sending, sent: Sent): Promise<readonly Outcome[]> {
    const { batch, content, call } = sending;
    if (batch.registrationIds.length === 1) return readSingle(await call(SEND_PATH, singleBody(content, batch)), sent);
    const { answer, taskId } = await sendList(sending);
    return readList(answer, { ...sent, taskId });
  }

  /** A saved payload that the vendor forgot is saved once more. */
  async function sendList({ batch, content, call }: Sending): Promise<{ answer: Answer; taskId: string }> {
    const key = savedPayloadKey(content, batch.pushId);
    const save = async (requestId: string): Promise<string> =>
      readTaskId(await call(SAVE_PATH, saveBody(content, requestId)), deps.now());
    const first = await saved.get(key, () => save(batch.batchId));
    const answer = await call(LIST_PATH, listBody(content, batch, first));
    if (!SAVED_PAYLOAD_GONE.has(answer.result)) return { answer, taskId: first };
    await saved.drop(key, first);
    const second = await saved.get(key, () => save(`${first} ${batch.batchId}`));
    return { answer: await call(LIST_PATH, listBody(content, batch, second)), taskId: second };
  }
}

function discardOf({ message, app }: PushBatch, payload: Payload): Discarded | undefined {
  const { cut, left } = payload;
  if (message.silent) return discarded('silent-unsupported');
  if (app.overlong === 'reject' && cut.length > 0)
    return discarded('message-rejected', `${cut.join(', ')}: over the limit of vivo`);
  if (app.overlong === 'reject' && left.length > 0)
    return discarded('payload-too-large', `${left.join(', ')}: no room`);
  return lacksText(payload) ? discarded('message-rejected', 'no text to show') : undefined;
}
