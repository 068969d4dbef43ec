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
    // Clients take any form but this one, and any other clock than UTC, for no expiry at all.
    _expiration_time: new Date(expiresAt).toISOString(),
  });
}

/** Clients show an alert that is no text in its debug form. */
function withTexts(data: JsonObject, { alert, title }: { alert: string; title: string }): JsonObject {
  if (typeof data['alert'] !== 'object') return data;
  return { ...data, alert, ...(title === '' ? {} : { title }) };
}
