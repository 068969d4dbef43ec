import { warnOfNames } from '@pushfleet/channel-kit';
import { isJsonObject, type ChannelMessage, type PushWarning } from '@pushfleet/domain';

/** vivo push server API, return code 10304; the keys that it knows are callbacks, which no section may name. */
export function warningsFor({ section }: ChannelMessage): readonly PushWarning[] {
  const { extra } = section;
  if (!isJsonObject(extra)) return [];
  return warnOfNames(
    'vivo.extra',
    Object.keys(extra),
    'is no key that vivo documents: unless a callback takes its place, vivo refuses the message for all devices',
  );
}
