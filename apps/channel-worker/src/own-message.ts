import { type JsonObject, messageFor, onlyChannelOf, OWN_CHANNEL, writeJson } from '@pushfleet/domain';
import type { PushToSend } from '@pushfleet/store';

/** What a push says on the own channel: the text of the JSON object that the mobile SDKs read. */
export function ownMessage(push: Pick<PushToSend, 'content' | 'audience' | 'expiresAt'>): string {
  const { content, audience, expiresAt } = push;
  const { data, section, alert, title, notificationChannel } = messageFor(
    content,
    OWN_CHANNEL,
    onlyChannelOf(audience),
  );
  return writeJson({
    ...withTexts(data, { alert, title }),
    ...section,
    ...(notificationChannel === undefined ? {} : { _notificationChannel: notificationChannel }),
    // Clients read a date in any other form, or in another zone than UTC, as no expiry.
    _expiration_time: new Date(expiresAt).toISOString(),
  });
}

/** Clients show an alert that is not a text in its debug form. */
function withTexts(data: JsonObject, { alert, title }: { alert: string; title: string }): JsonObject {
  if (typeof data['alert'] !== 'object') return data;
  return { ...data, alert, ...(title === '' ? {} : { title }) };
}
