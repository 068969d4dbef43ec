import { onlyChannelOf, type Audience } from './audience';
import type { JsonObject } from './json';
import { LIMITS, writeJson } from './limits';
import { messageFor, type PushContent } from './message';
import type { DiscardReason } from './reasons';
import { OWN_CHANNEL } from './route';

export interface OwnPush {
  readonly content: PushContent;
  readonly audience: Audience;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What a push says on the own channel: the text of the JSON object that the mobile SDKs read. */
export function ownMessage({ content, audience, expiresAt }: OwnPush): string {
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

/** Messages that a mailbox may be set to hold at most. */
export const LARGEST_MAILBOX = 1000;

/** Whether a device of the own channel has a mailbox, which its installationId names. */
export const hasMailbox = (installationId: string | undefined): installationId is string =>
  installationId !== undefined &&
  installationId !== '' &&
  Buffer.byteLength(installationId) <= LIMITS.loginIdBytes.value;

/** Why a device of the own channel gets no message; `ids` are the installationIds of the records that exist. */
export function ownRefusal(ids: ReadonlyMap<string, string | undefined>, objectId: string): OwnRefusal | undefined {
  if (!ids.has(objectId)) return 'registration-gone';
  return hasMailbox(ids.get(objectId)) ? undefined : 'registration-missing';
}

type OwnRefusal = Extract<DiscardReason, 'registration-gone' | 'registration-missing'>;
