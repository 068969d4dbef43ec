import { noticeOf } from '@pushfleet/channel-kit';
import { isJsonObject, type ChannelMessage, type PushWarning } from '@pushfleet/domain';
import { type HonorProfile } from './profile';

/** What the vendor will not do with a notification, although it takes it. */
export function warningsFor(message: ChannelMessage, { badgeClass }: HonorProfile): readonly PushWarning[] {
  if (message.silent) return [];
  const { badge } = noticeOf(message.section);
  const isAsked = message.badge !== undefined || badge !== undefined;
  const hasClass = badgeClass !== undefined || (isJsonObject(badge) && badge['badgeClass'] !== undefined);
  if (!isAsked || hasClass) return [];
  const path = message.badge === undefined ? 'honor.badge' : 'data.badge';
  return [{ path, message: 'honor shows no badge: the profile has no badgeClass' }];
}
