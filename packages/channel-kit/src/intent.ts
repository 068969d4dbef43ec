import { type JsonObject, writeJson } from '@pushfleet/domain';

/**
 * The intent that existing app builds answer when a notification is tapped (LeanCloud hybrid push guide, "HMS: tap
 * handling"): host chosen per app, custom attributes as URL-encoded JSON in the extra `content`.
 */
export function tapIntent(host: string, attributes: JsonObject): string {
  const content = encodeURIComponent(writeJson(attributes));
  return `intent://${host}/notify_detail#Intent;scheme=lcpushscheme;S.content=${content};launchFlags=0x10000000;end`;
}
