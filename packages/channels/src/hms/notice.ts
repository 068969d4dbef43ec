import { lacksBody, noticeOf, noticeText, objectIn } from '@pushfleet/channel-kit';
import { type ChannelMessage, type JsonObject } from '@pushfleet/domain';
import { type HmsProfile } from './profile';

/** Huawei "Push Kit REST API: sending messages, v1/v2": the style that wants a big title and a big body. */
const BIG_TEXT = 1;

/** A notification without a text, which the vendor refuses. */
export const lacksText = (message: JsonObject): boolean =>
  noticeOf(message)['body_loc_key'] === undefined && lacksBody(message);

/** Adds what the vendor requires of a notification and a sender does not write: launcher activity, big texts, no urgency. */
export function complete(message: JsonObject, sent: ChannelMessage, profile: HmsProfile): JsonObject {
  const { urgency: _onlyOfSilentMessages, notification: _replaced, ...android } = objectIn(message['android']);
  const notice = noticeOf(message);
  const badge = badgeOf(sent, objectIn(notice['badge']), profile);
  const completed = { ...notice, ...bigTexts(message), ...(badge ? { badge } : {}) };
  return { ...message, android: { notification: completed, ...android } };
}

function bigTexts(message: JsonObject): JsonObject {
  const { style, big_title: title, big_body: body } = noticeOf(message);
  if (style !== BIG_TEXT) return {};
  return {
    big_title: title ?? noticeText(message, 'title') ?? '',
    big_body: body ?? noticeText(message, 'body') ?? '',
  };
}

/** Counts come from one place: the vendor lets `set_num` win over `add_num`, wherever each of them came from. */
function badgeOf(sent: ChannelMessage, own: JsonObject, { badgeClass }: HmsProfile): JsonObject | undefined {
  const hasCount = own['add_num'] !== undefined || own['set_num'] !== undefined;
  const badge = { ...(hasCount ? {} : counts(sent)), ...own };
  if (Object.keys(badge).length === 0) return undefined;
  return { ...badge, ...(badge['class'] === undefined && badgeClass !== undefined ? { class: badgeClass } : {}) };
}

function counts({ badge }: ChannelMessage): JsonObject {
  if (badge === undefined) return {};
  return badge === 'Increment' ? { add_num: 1 } : { set_num: badge };
}
