import { InvalidInput } from '../invalid-input';
import type { JsonObject } from '../json';
import type { PushContent } from '../message';
import { parseContent, type SectionParsers } from '../push-content';
import { filled, type StaticVariables } from './static-push';
import type { OfflineMessage } from './offline-message';

/** What an offline message is pushed as. */
export interface OfflinePush {
  readonly content: PushContent;
  readonly prod: 'dev' | 'prod';
}

export interface OfflineFrame {
  readonly conversation: string;
  /** The setting `offlinePush` of the app. */
  readonly fallback: JsonObject | null;
  readonly sections: SectionParsers;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * LeanCloud instant messaging guide, "content of offline pushes": what the message brings goes before what the app says of all
 * messages; of a message without either nothing is pushed: undefined. Throws `InvalidInput` naming the place.
 */
export function offlinePushOf(message: OfflineMessage, frame: OfflineFrame): OfflinePush | undefined {
  const { conversation, fallback, sections, now } = frame;
  if (message.pushData) return pushOf(message.pushData, { conversation, sections, place: 'push_data' });
  if (!fallback) return undefined;
  const variables = {
    convId: conversation,
    fromClientId: message.from,
    timestamp: String(Math.floor(now / 1000)),
  };
  return pushOf(filled(fallback, variables), { conversation, sections, place: 'offlinePush' });
}

/** What the variables say of some message. */
const ANY: StaticVariables = { convId: 'conversation', fromClientId: 'client', timestamp: '1790000000' };

/** Throws as `offlinePushOf` does where nothing could be pushed with this setting of an app. */
export function requirePushable(setting: JsonObject, sections: SectionParsers): void {
  pushOf(filled(setting, ANY), { conversation: ANY.convId, sections, place: 'offlinePush' });
}

interface Place {
  readonly conversation: string;
  readonly sections: SectionParsers;
  readonly place: 'push_data' | 'offlinePush';
}

function pushOf(said: JsonObject, { conversation, sections, place }: Place): OfflinePush {
  const { _profile: profile, _apns_team_id: _team, ...rest } = said;
  if (profile !== undefined && profile !== 'dev' && profile !== 'prod')
    throw new InvalidInput('wrong-type', `${place}._profile: must be "dev" or "prod"`);
  const { data, ...content } = parseContent({ data: rest }, sections, place);
  const { _notificationChannel: _channel, ...delivered } = data;
  return { content: { ...content, data: delivered, group: conversation }, prod: profile ?? 'prod' };
}
