import { noticeOf, warnOfNames, withoutNotification } from '@pushfleet/channel-kit';
import { isJsonObject, type ChannelMessage, type JsonObject, type PushWarning } from '@pushfleet/domain';
import { unknownFields } from './fields';
import { type HmsProfile } from './profile';

/** What the vendor will not do with a message, and what it would not take at all. */
export function warningsFor(message: ChannelMessage, profile: HmsProfile): readonly PushWarning[] {
  const section = message.section['message'];
  const own = isJsonObject(section) ? section : {};
  if (message.silent) return fieldWarnings(withoutNotification(own));
  return [...badgeWarnings(message, own, profile), ...urgencyWarnings(own), ...fieldWarnings(own)];
}

/** Told, not refused: the vendor may have fields that are newer than the copy of its document. */
const fieldWarnings = (own: JsonObject): readonly PushWarning[] =>
  warnOfNames(
    'hms',
    unknownFields(own),
    'is no field that hms documents: it refuses a message with one, for all devices',
  );

function badgeWarnings(message: ChannelMessage, own: JsonObject, profile: HmsProfile): readonly PushWarning[] {
  const { badge } = noticeOf(own);
  const isAsked = message.badge !== undefined || badge !== undefined;
  const hasClass = profile.badgeClass !== undefined || (isJsonObject(badge) && badge['class'] !== undefined);
  if (!isAsked || hasClass) return [];
  const path = message.badge === undefined ? 'hms.badge' : 'data.badge';
  return [{ path, message: 'hms shows no badge: the profile has no badgeClass' }];
}

/** Huawei "Push Kit REST API: sending messages, v1/v2": `android.urgency` is for data messages. */
function urgencyWarnings({ android }: JsonObject): readonly PushWarning[] {
  if (!isJsonObject(android) || android['urgency'] === undefined) return [];
  return [{ path: 'hms.urgency', message: 'left out: hms takes it with silent messages only' }];
}
