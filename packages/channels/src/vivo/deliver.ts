import { discarded, openSavedContents, sendSaved, type Deliver, type PushBatch } from '@pushfleet/channel-kit';
import { type Discarded } from '@pushfleet/domain';
import { readList, readSingle, readTaskId, type Answer } from './answer';
import { SAVED_PAYLOAD_GONE } from './codes';
import { LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { lacksText, listBody, saveBody, savedPayloadKey, singleBody, type Payload } from './request';

const SAVED_PAYLOADS = 300;

/** Sends to one device at once, and to more as a list of a payload that the vendor keeps. */
export function openDelivery(now: () => number): Deliver<Payload, string, Answer> {
  const saved = openSavedContents(SAVED_PAYLOADS);
  return async ({ batch, content, call }, sent) => {
    if (batch.registrationIds.length === 1) return readSingle(await call(SEND_PATH, singleBody(content, batch)), sent);
    const save = async (requestId: string): Promise<string> =>
      readTaskId(await call(SAVE_PATH, saveBody(content, requestId)), now());
    const { answer, id: taskId } = await sendSaved(saved, {
      key: savedPayloadKey(content, batch.pushId),
      save: (forgotten) => save(forgotten === undefined ? batch.batchId : `${forgotten} ${batch.batchId}`),
      send: (id) => call(LIST_PATH, listBody(content, batch, id)),
      isForgotten: ({ result }) => SAVED_PAYLOAD_GONE.has(result),
    });
    return readList(answer, { ...sent, taskId });
  };
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
