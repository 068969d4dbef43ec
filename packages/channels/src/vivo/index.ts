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
import { answerSchema, readList, readSingle, readTaskId, type Answer, type Sent } from './answer';
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
  name: 'vivo',
  vendor: 'vivo',
  successesField: 'vivoSuccesses',
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

type Call = (path: string, body: string) => Promise<Answer>;

function openSession(profile: VivoProfile, deps: ChannelDeps): ChannelSession {
  const saved = openSavedContents(SAVED_PAYLOADS);
  return {
    async send(batch, signal) {
      const payload = payloadOf(batch, profile);
      const discard = discardBeforeCall(batch, payload);
      if (discard) return batch.registrationIds.map(() => discard);
      const call = openCall(profile, deps, signal);
      const { registrationIds } = batch;
      const sent = { registrationIds, truncated: payload.cut.length > 0, now: deps.now() };
      return withNotes(await sendBy({ batch, payload, call }, sent), payload.notes);
    },
    verify: (signal) => verifyByToken(() => fetchToken(profile, deps, signal)),
  };

  async function sendBy(sending: Sending, sent: Sent): Promise<readonly Outcome[]> {
    const { batch, payload, call } = sending;
    if (batch.registrationIds.length === 1) return readSingle(await call(SEND_PATH, singleBody(payload, batch)), sent);
    const { answer, taskId } = await sendList(sending);
    return readList(answer, { ...sent, taskId });
  }

  /** A saved payload that the vendor forgot is saved once more. */
  async function sendList({ batch, payload, call }: Sending): Promise<{ answer: Answer; taskId: string }> {
    const key = savedPayloadKey(payload, batch.pushId);
    const save = async (requestId: string): Promise<string> =>
      readTaskId(await call(SAVE_PATH, saveBody(payload, requestId)), deps.now());
    const first = await saved.get(key, () => save(batch.batchId));
    const answer = await call(LIST_PATH, listBody(payload, batch, first));
    if (!SAVED_PAYLOAD_GONE.has(answer.result)) return { answer, taskId: first };
    await saved.drop(key, first);
    const second = await saved.get(key, () => save(`${first} ${batch.batchId}`));
    return { answer: await call(LIST_PATH, listBody(payload, batch, second)), taskId: second };
  }
}

interface Sending {
  readonly batch: PushBatch;
  readonly payload: Payload;
  readonly call: Call;
}

function openCall(profile: VivoProfile, deps: ChannelDeps, signal: AbortSignal): Call {
  const origin = deps.origins['VIVO_PUSH_URL'] ?? ENDPOINTS.VIVO_PUSH_URL;
  const access = {
    key: tokenKey('vivo', profile.appId, profile.appKey, profile.appSecret),
    fetchToken: () => fetchToken(profile, deps, signal),
  };
  return async (path, body) => {
    const answer = await withToken<Answer>(deps.tokens, access, async (authToken) => {
      const headers = { 'content-type': 'application/json;charset=UTF-8', authToken };
      const isHarmless = path === SAVE_PATH;
      const url = `${origin}${path}`;
      const response = await deps.http.request({ method: 'POST', url, headers, body, signal, isHarmless });
      const read = parseAnswer(answerSchema, response);
      return read.result === TOKEN_REFUSED ? 'token-expired' : read;
    });
    if (answer !== 'token-expired') return answer;
    throw new ChannelFault('credentials-rejected', 'vivo refused a fresh access token', { vendorCode: TOKEN_REFUSED });
  };
}

function discardBeforeCall({ message, app }: PushBatch, payload: Payload): Discarded | undefined {
  if (message.silent) return { kind: 'discarded', reason: 'silent-unsupported' };
  if (app.overlong === 'reject' && payload.cut.length > 0) {
    const vendorMessage = `${payload.cut.join(', ')}: over the limit of vivo`;
    return { kind: 'discarded', reason: 'message-rejected', vendorMessage };
  }
  if (app.overlong === 'reject' && payload.left.length > 0)
    return { kind: 'discarded', reason: 'payload-too-large', vendorMessage: `${payload.left.join(', ')}: no room` };
  return lacksText(payload)
    ? { kind: 'discarded', reason: 'message-rejected', vendorMessage: 'no text to show' }
    : undefined;
}
