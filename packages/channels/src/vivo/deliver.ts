import { discarded, openSavedContents, type Delivery, type PushBatch, type Sent } from '@pushfleet/channel-kit';
import { type Discarded, type Outcome } from '@pushfleet/domain';
import { readList, readSingle, readTaskId, type Answer } from './answer';
import { SAVED_PAYLOAD_GONE } from './codes';
import { LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { lacksText, listBody, saveBody, savedPayloadKey, singleBody, type Payload } from './request';

const SAVED_PAYLOADS = 300;

type Sending = Delivery<Payload, string, Answer>;

/** Sends to one device at once, and to more as a list of a payload that the vendor keeps. */
export function openDelivery(now: () => number): (sending: Sending, sent: Sent) => Promise<readonly Outcome[]> {
  const saved = openSavedContents(SAVED_PAYLOADS);
  return deliver;

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
      readTaskId(await call(SAVE_PATH, saveBody(content, requestId)), now());
    const first = await saved.get(key, () => save(batch.batchId));
    const answer = await call(LIST_PATH, listBody(content, batch, first));
    if (!SAVED_PAYLOAD_GONE.has(answer.result)) return { answer, taskId: first };
    await saved.drop(key, first);
    const second = await saved.get(key, () => save(`${first} ${batch.batchId}`));
    return { answer: await call(LIST_PATH, listBody(content, batch, second)), taskId: second };
  }
}

/** What is not sent at all. */
export function discardOf({ message, app }: PushBatch, payload: Payload): Discarded | undefined {
  const { cut, left } = payload;
  if (message.silent) return discarded('silent-unsupported');
  if (app.overlong === 'reject' && cut.length > 0)
    return discarded('message-rejected', `${cut.join(', ')}: over the limit of vivo`);
  if (app.overlong === 'reject' && left.length > 0)
    return discarded('payload-too-large', `${left.join(', ')}: no room`);
  return lacksText(payload) ? discarded('message-rejected', 'no text to show') : undefined;
}
