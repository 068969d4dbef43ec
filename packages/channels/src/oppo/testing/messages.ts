import { BoundedMap, isGone, isMalformed, type DeviceDesk, type SimulatorAnswer } from '@pushfleet/channel-kit/testing';
import { z } from 'zod';
import { Refusal, success } from './answers';
import { parseJson, required } from './form';
import { checkMessage, checkNotification, type Notification, type Strict } from './notification';

export const APP_ID = 'SimOppoApp';
const MAX_BATCH = 1000;
const MAX_REMEMBERED = 100_000;

interface Saved {
  readonly appKey: string;
  readonly notification: Notification;
}

/** What the vendor accepted, and keeps for broadcasts. */
export class Messages {
  /** By message id. */
  private readonly saved = new BoundedMap<Saved>(MAX_REMEMBERED);
  /** Message id by app, app_message_id and target: a unicast reaches a target once. */
  private readonly reached = new BoundedMap<string>(MAX_REMEMBERED);

  constructor(
    private readonly nextId: (kind: string) => string,
    private readonly desk: DeviceDesk,
    private readonly strict: Strict,
  ) {}

  unicast(form: URLSearchParams, appKey: string): SimulatorAnswer {
    const { target, notification } = checkMessage(parseJson(required(form, 'message')), { strict: this.strict });
    if (isMalformed(target)) throw new Refusal(41, 'Invalid Arguments: registration_id');
    if (isGone(target)) throw new Refusal(10000, 'Invalid Registration_id');
    const { messageId, isNew } = this.reach([appKey, notification.app_message_id ?? '', target]);
    return success({ messageId }, { ...told(notification), registrationIds: isNew ? [target] : [], messageId });
  }

  unicastBatch(form: URLSearchParams, appKey: string): SimulatorAnswer {
    const messages = z
      .array(z.unknown())
      .min(1)
      .max(MAX_BATCH)
      .safeParse(parseJson(required(form, 'messages')));
    if (!messages.success) throw new Refusal(41, 'Invalid Arguments: messages');
    const known = new Map<string, Notification>();
    const checked = messages.data.map((message) => checkMessage(message, { strict: this.strict, known }));
    const taken = new Set(this.desk.sort(checked.map(({ target }) => target)).taken);
    const reached: string[] = [];
    const data = checked.map(({ target, notification }) => {
      const item = { messageId: '', registrationId: target };
      if (!taken.has(target)) return { ...item, errorCode: 10000, errorMessage: 'Invalid Registration_id' };
      const { messageId, isNew } = this.reach([appKey, notification.app_message_id ?? '', target]);
      if (isNew) reached.push(target);
      return { ...item, messageId };
    });
    const messageId = this.nextId(`${APP_ID}-1-1-`);
    return success(data, { ...told(checked[0]?.notification), registrationIds: reached, messageId });
  }

  /** A content with an `app_message_id` is stored once. */
  save(form: URLSearchParams, appKey: string): SimulatorAnswer {
    const { auth_token: _, ...fields } = Object.fromEntries(form);
    const notification = checkNotification(fields, this.strict);
    const isPrivate = notification.private_msg_template_id !== undefined;
    if (isPrivate && this.strict.isOn('single-private')) throw new Refusal(27, 'Access Denied');
    const id = notification.app_message_id ? `${appKey}-${notification.app_message_id}-saved` : this.nextId('saved');
    if (!this.saved.has(id)) this.saved.set(id, { appKey, notification });
    return success({ message_id: id });
  }

  broadcast(form: URLSearchParams, appKey: string): SimulatorAnswer {
    const messageId = required(form, 'message_id');
    if (required(form, 'target_type') !== '2') throw new Refusal(41, 'Invalid Arguments: target_type');
    const ids = checkTargets(required(form, 'target_value'));
    const saved = this.saved.get(messageId);
    if (saved?.appKey !== appKey) throw new Refusal(31, 'Data Not Exist');
    const { taken, gone, malformed, left } = this.desk.sort(ids);
    const invalid = [...gone, ...malformed, ...left];
    const taskId = this.nextId('task');
    const data = { message_id: messageId, task_id: taskId, ...(invalid.length > 0 ? { 10000: invalid } : {}) };
    return success(data, { ...told(saved.notification), registrationIds: taken, messageId: taskId });
  }

  private reach([appKey, appMessageId, target]: [string, string, string]) {
    const key = JSON.stringify([appKey, appMessageId, target]);
    const known = appMessageId === '' ? undefined : this.reached.get(key);
    if (known !== undefined) return { messageId: known, isNew: false };
    const messageId = this.nextId(`${APP_ID}-1-1-`);
    this.reached.set(key, messageId);
    return { messageId, isNew: true };
  }
}

/** What the message says of itself, and of its receipts. */
const told = (message: Notification | undefined) => ({
  ...{ message, pushId: message?.call_back_parameter ?? '' },
  receiptUrl: message?.call_back_url,
});

function checkTargets(targets: string): string[] {
  const ids = targets.split(';');
  if (ids.length > MAX_BATCH) throw new Refusal(41, 'Invalid Arguments: target_value');
  if (ids.includes('')) throw new Refusal(41, 'Invalid Arguments: target_value');
  return ids;
}
