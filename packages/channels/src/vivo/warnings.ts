import { isJsonObject, type ChannelMessage, type PushWarning } from '@pushfleet/domain';

/** Of keys that the vendor does not know. */
const MOST_NAMED = 5;

/** vivo push server API, return code 10304; the keys that it knows are callbacks, which no section may name. */
export function warningsFor({ section }: ChannelMessage): readonly PushWarning[] {
  const { extra } = section;
  if (!isJsonObject(extra)) return [];
  return Object.keys(extra)
    .slice(0, MOST_NAMED)
    .map((name) => ({
      path: `vivo.extra.${name}`,
      message:
        'is no key that vivo documents: unless a callback takes its place, vivo refuses the message for all devices',
    }));
}
