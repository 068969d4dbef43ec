import { hash } from 'node:crypto';
import {
  ChannelFault,
  discarded,
  isChannelFault,
  openSavedContents,
  sendSaved,
  type Deliver,
  type Delivery,
  type PushBatch,
} from '@pushfleet/channel-kit';
import { type Discarded } from '@pushfleet/domain';
import { faultOf, readBroadcast, readSaved, readUnicast, readUnicastBatch, type Answer } from './answer';
import { DUPLICATE, SAVED_MESSAGE_GONE } from './codes';
import { BROADCAST_PATH, SAVE_PATH, UNICAST_BATCH_PATH, UNICAST_PATH } from './endpoints';
import {
  broadcastForm,
  isTooLarge,
  lacksText,
  roadOf,
  savedMessageKey,
  saveForm,
  unicastBatchForm,
  unicastForm,
  type Form,
  type Notification,
} from './request';

const SAVED_MESSAGES = 300;

type Sending = Delivery<Notification, Form, Answer>;

/** Sends by the road that fits the notification; a broadcast is of a message that the vendor keeps. */
export function openDelivery(now: () => number): Deliver<Notification, Form, Answer> {
  const saved = openSavedContents(SAVED_MESSAGES);
  return async (sending, sent) => {
    const { batch, content, call } = sending;
    switch (roadOf(content, batch.registrationIds.length)) {
      case 'unicast':
        return readUnicast(await call(UNICAST_PATH, unicastForm(content, batch)), sent);
      case 'unicast-batch':
        return readUnicastBatch(await call(UNICAST_BATCH_PATH, unicastBatchForm(content, batch)), sent);
      case 'broadcast':
        return readBroadcast(await broadcast(sending).catch(withoutKey), sent);
    }
  };

  /** A saved message that the vendor forgot is saved once more, under another id of ours. */
  async function broadcast(sending: Sending): Promise<Answer> {
    const { batch, content, call } = sending;
    const key = savedMessageKey(content, batch.pushId);
    const { answer } = await sendSaved(saved, {
      key,
      save: (forgotten) => saveMessage(sending, forgotten === undefined ? idOf(key, batch) : batch.batchId),
      send: (id) => call(BROADCAST_PATH, broadcastForm(id, batch.registrationIds)),
      isForgotten: ({ code }) => code === SAVED_MESSAGE_GONE,
    });
    return answer;
  }

  async function saveMessage({ batch, content, call }: Sending, appMessageId: string): Promise<string> {
    const known = readSaved(await call(SAVE_PATH, saveForm(content, appMessageId)), now());
    if (known !== undefined) return known;
    const again = readSaved(await call(SAVE_PATH, saveForm(content, batch.batchId)), now());
    if (again !== undefined) return again;
    throw faultOf({ code: DUPLICATE, message: 'the saved message has no id' }, now());
  }
}

/** Profiles of one oppo app send a push in different words: the vendor keeps one message by each id. */
const idOf = (key: string, { pushId }: PushBatch): string => `${pushId}-${hash('sha256', key, 'hex').slice(0, 20)}`;

/** A broadcast has no key by which a device knows a message that it has, as a call for a single one does. */
function withoutKey(error: unknown): never {
  if (!isChannelFault(error) || error.code !== 'unknown-outcome') throw error;
  const { message, vendorCode, vendorMessage, retryAfterMs, cause } = error;
  const details = { vendorCode, vendorMessage, retryAfterMs, cause, isShownAgain: true };
  throw new ChannelFault('unknown-outcome', message, details);
}

/** What is not sent at all. */
export function discardOf({ message, app }: PushBatch, notification: Notification): Discarded | undefined {
  if (message.silent) return discarded('silent-unsupported');
  if (isTooLarge(notification)) return discarded('payload-too-large');
  if (lacksText(notification)) return discarded('message-rejected', 'no text to show');
  if (app.overlong === 'truncate' || notification.cut.length === 0) return undefined;
  return discarded('message-rejected', `${notification.cut.join(', ')}: over the limit of oppo`);
}
