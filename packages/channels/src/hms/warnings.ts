import { noticeOf } from '@pushfleet/channel-kit';
import { isJsonObject, type ChannelMessage, type JsonObject, type PushWarning } from '@pushfleet/domain';
import { type HmsProfile } from './profile';

/** What the vendor will not do with a notification, although it takes it. */
export function warningsFor(message: ChannelMessage, profile: HmsProfile): readonly PushWarning[] {
  if (message.silent) return [];
  const section = message.section['message'];
  const own = isJsonObject(section) ? section : {};
  return [...badgeWarnings(message, own, profile), ...urgencyWarnings(own)];
}

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
