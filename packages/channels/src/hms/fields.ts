import { objectIn } from '@pushfleet/channel-kit';
import { type JsonObject } from '@pushfleet/domain';

/**
 * By the path of its object, what may stand in a message (Huawei "Push Kit REST API: sending messages, v1/v2", copy dated
 * 2025-08). The vendor refuses a message with any other field.
 */
export const FIELDS = {
  message: ['data', 'notification', 'android', 'token', 'topic', 'condition', 'apns', 'webpush'],
  'message.android': [
    ...['collapse_key', 'urgency', 'category', 'ttl', 'bi_tag', 'receipt_id', 'fast_app_target', 'data'],
    ...['target_user_type', 'notification'],
  ],
  'message.android.notification': [
    ...['title', 'body', 'icon', 'sound', 'tag', 'group', 'big_title', 'big_body', 'notify_summary', 'ticker'],
    ...['default_sound', 'auto_cancel', 'local_only', 'foreground_show', 'use_default_vibrate', 'use_default_light'],
    ...['title_loc_key', 'body_loc_key', 'title_loc_args', 'body_loc_args', 'multi_lang_key', 'when', 'color'],
    ...['notify_id', 'channel_id', 'importance', 'style', 'inbox_content', 'image', 'auto_clear', 'visibility'],
    ...['vibrate_config', 'light_settings', 'buttons', 'profile_id', 'badge', 'click_action'],
  ],
  'message.android.notification.badge': ['add_num', 'set_num', 'class'],
} as const;

/** The paths of fields that the vendor does not know. */
export function unknownFields(message: JsonObject): readonly string[] {
  return Object.entries(FIELDS).flatMap(([path, known]) => {
    const object = path.split('.').reduce<JsonObject>((outer, name) => objectIn(outer[name]), { message });
    const names = new Set<string>(known);
    return Object.keys(object).flatMap((name) => (names.has(name) ? [] : [`${path}.${name}`]));
  });
}
