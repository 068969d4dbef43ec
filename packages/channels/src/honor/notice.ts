import { noticeOf, noticeText, objectIn } from '@pushfleet/channel-kit';
import { type ChannelMessage, type JsonObject } from '@pushfleet/domain';
import { type HonorProfile } from './profile';

/** Honor "Push Kit: downlink message", 2024-10-11: the style that wants a big title and a big body. */
const BIG_TEXT = 1;

/** Adds what the vendor requires of a notification and a sender does not write: the launcher activity, the big texts. */
export function complete(body: JsonObject, sent: ChannelMessage, profile: HonorProfile): JsonObject {
  const notice = noticeOf(body);
  const badge = badgeOf(sent, objectIn(notice['badge']), profile);
  const completed = { ...notice, ...bigTexts(body), ...(badge ? { badge } : {}) };
  return { ...body, android: { ...objectIn(body['android']), notification: completed } };
}

/** The vendor requires them to equal title and body. */
function bigTexts(body: JsonObject): JsonObject {
  const { style, bigTitle, bigBody } = noticeOf(body);
  if (style !== BIG_TEXT) return {};
  return { bigTitle: bigTitle ?? noticeText(body, 'title') ?? '', bigBody: bigBody ?? noticeText(body, 'body') ?? '' };
}

/** Counts come from one place, the section's before the push's. */
function badgeOf(sent: ChannelMessage, own: JsonObject, { badgeClass }: HonorProfile): JsonObject | undefined {
  const hasCount = own['addNum'] !== undefined || own['setNum'] !== undefined;
  const badge = { ...(hasCount ? {} : counts(sent)), ...own };
  if (Object.keys(badge).length === 0) return undefined;
  return { ...badge, ...(badge['badgeClass'] === undefined && badgeClass !== undefined ? { badgeClass } : {}) };
}

function counts({ badge }: ChannelMessage): JsonObject {
  if (badge === undefined) return {};
  return badge === 'Increment' ? { addNum: 1 } : { setNum: badge };
}
