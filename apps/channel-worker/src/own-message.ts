import { messageFor, OWN_CHANNEL, type JsonObject } from '@pushfleet/domain';
import type { PushToSend } from '@pushfleet/store';

/** What a push says on the own channel: the text of the JSON object that the mobile SDKs read. */
export function ownMessage(push: Pick<PushToSend, 'content' | 'audience' | 'expiresAt'>): string {
  const { content, audience, expiresAt } = push;
  const { data, section, alert, title, notificationChannel } = messageFor(content, OWN_CHANNEL);
  return JSON.stringify({
    ...withTexts(data, { alert, title }),
    ...section,
    ...channelOf(audience.subscriptions, data),
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

/** The one channel of a push chooses the page that opens; of several, none does. */
function channelOf(subscriptions: readonly string[] | undefined, data: JsonObject): JsonObject {
  const [only] = subscriptions ?? [];
  if (only === undefined || subscriptions?.length !== 1 || data['_channel'] !== undefined) return {};
  return { _channel: only };
}
