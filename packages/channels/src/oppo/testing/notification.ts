import { isJsonObject } from '@pushfleet/domain';
import { parseFields, type StrictRules } from '@pushfleet/channel-kit/testing';
import { z } from 'zod';
import { Refusal } from './answers';

const points = (max: number) =>
  z.string().refine((text) => Array.from(text).length <= max, `longer than ${max} characters`);
/** The form of a saved message has everything as text. */
const integer = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
const flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
const jsonText = (max: number) => points(max).refine((text) => parseFields(text) !== undefined, 'not JSON');
const parameters = z.union([z.string(), z.record(z.string(), z.string())]);

const MAX_TTL_S = 864_000;

/**
 * OPPO open platform, "Notification fields", page 11236. The vendor's own library (SDK 1.1.0) adds `sdk_version` to every
 * form and senders add more: keys that are not documented are ignored.
 */
const notificationSchema = z.looseObject({
  app_message_id: z.string().max(64).optional(),
  style: integer(1, 3).optional(),
  big_picture_id: z.string().optional(),
  small_picture_id: z.string().optional(),
  title: points(50).min(1),
  sub_title: points(10).optional(),
  content: z.string().min(1),
  click_action_type: integer(0, 5).optional(),
  click_action_activity: z.string().max(500).optional(),
  click_action_url: z.string().max(2000).optional(),
  action_parameters: jsonText(4000).optional(),
  show_time_type: integer(0, 1).optional(),
  show_start_time: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  show_end_time: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  off_line: flag.optional(),
  // The same page: more than ten days is cut to ten. Four senders ask for less than an hour and are served (2026).
  off_line_ttl: integer(0, Number.MAX_SAFE_INTEGER)
    .transform((seconds) => Math.min(seconds, MAX_TTL_S))
    .optional(),
  time_zone: z.string().optional(),
  network_type: integer(0, 1).optional(),
  channel_id: z.string().optional(),
  category: z.string().optional(),
  notify_level: integer(1, 16).optional(),
  private_msg_template_id: z.string().optional(),
  private_title_parameters: parameters.optional(),
  private_content_parameters: parameters.optional(),
  show_ttl: integer(0, 172_800).optional(),
  notify_id: integer(0, 2_147_483_647).optional(),
  badge_operation_type: integer(0, 1).optional(),
  // The same page: more than 99 is shown as 99+.
  badge_message_count: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  auditResponse: z.unknown().optional(),
  call_back_url: z
    .string()
    .refine((url) => Buffer.byteLength(url) <= 200)
    .optional(),
  // 100 in the current page, 50 in older ones and in the library.
  call_back_parameter: points(100).optional(),
  push_time_type: integer(0, 1).optional(),
  push_start_time: integer(0, Number.MAX_SAFE_INTEGER).optional(),
  fix_speed: flag.optional(),
  fix_speed_rate: integer(1000, 10_000).optional(),
});
export type Notification = z.infer<typeof notificationSchema>;

const CATEGORIES = new Set(
  'IM ACCOUNT TODO DEVICE_REMINDER ORDER SUBSCRIPTION NEWS CONTENT MARKETING SOCIAL'.split(' '),
);

/** Rules that only one side names. */
export const STRICT = {
  'least-life':
    'off_line_ttl under an hour is refused, as a hosted service says (2026), and is taken from senders of the field',
  'single-private':
    'a template in a saved message is refused, as a hosted service says that private messages are sent one by one',
  'known-keys': 'keys that the vendor does not document are refused',
};
export type Strict = StrictRules<keyof typeof STRICT>;

export function checkNotification(fields: unknown, strict: Strict): Notification {
  const parsed = notificationSchema.safeParse(fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') || issue?.message || '';
    const isMissing = isJsonObject(fields) && issue?.code === 'invalid_type' && !(field in fields);
    throw isMissing
      ? new Refusal(40, `Missing Required Arguments: ${field}`)
      : new Refusal(41, `Invalid Arguments: ${field}`);
  }
  checkStrictly(parsed.data, strict);
  checkStyle(parsed.data);
  checkTap(parsed.data);
  checkClass(parsed.data);
  checkTimes(parsed.data);
  return parsed.data;
}

function checkStrictly(notification: Notification, strict: Strict): void {
  const { off_line_ttl: life = 3600 } = notification;
  if (strict.isOn('least-life') && life < 3600) throw new Refusal(41, 'Invalid Arguments: off_line_ttl');
  const unknown = Object.keys(notification).find((key) => !(key in notificationSchema.shape));
  if (strict.isOn('known-keys') && unknown !== undefined) throw new Refusal(41, `Invalid Arguments: ${unknown}`);
}

const CONTENT_POINTS: Readonly<Record<number, number>> = { 2: 128 };

function checkStyle({ style = 1, content, big_picture_id: picture }: Notification): void {
  if (Array.from(content).length > (CONTENT_POINTS[style] ?? 50)) throw new Refusal(41, 'Invalid Arguments: content');
  if (style === 3 && !picture) throw new Refusal(51, 'Invalid Picture');
}

const TAP_FIELDS: Readonly<Record<number, readonly (keyof Notification)[]>> = {
  0: [],
  1: ['click_action_activity'],
  2: ['click_action_url'],
  4: ['click_action_activity'],
  5: ['click_action_url'],
};

const WEB_PAGE = 2;

function checkTap(notification: Notification): void {
  const needed = TAP_FIELDS[notification.click_action_type ?? 0];
  if (!needed) throw new Refusal(41, 'Invalid Arguments: click_action_type');
  for (const name of needed) if (!notification[name]) throw new Refusal(40, `Missing Required Arguments: ${name}`);
  const { click_action_type: type, click_action_url: url = '' } = notification;
  if (type === WEB_PAGE && !/^https?:\/\//.test(url)) throw new Refusal(41, 'Invalid Arguments: click_action_url');
}

/** "New message classification", 2024-11-20; that `IM` needs a template is what hosted services report (2025). */
function checkClass({ category, notify_level: level, private_msg_template_id: template }: Notification): void {
  if (category !== undefined && !CATEGORIES.has(category)) throw new Refusal(67, 'Category error');
  if (category === 'IM' && !template) throw new Refusal(54, 'private_msg_template_id is null');
  if (level !== undefined && (category === undefined || ![1, 2, 16].includes(level)))
    throw new Refusal(67, 'notify_level invalid');
}

function checkTimes({ show_time_type: type, show_start_time: start = 0, show_end_time: end = 0 }: Notification): void {
  if (type === 1 && start >= end) throw new Refusal(41, 'Invalid Arguments: show_start_time');
}

const messageSchema = z.object({
  target_type: z.literal(2),
  target_value: z.string().regex(/^[^;]+$/),
  verify_registration_id: z.boolean().optional(),
  notification: z.unknown(),
});

/** A batch mostly repeats one notification, which `known` saves from being checked a thousand times. */
export function checkMessage(
  message: unknown,
  { strict, known = new Map<string, Notification>() }: { strict: Strict; known?: Map<string, Notification> },
): { target: string; notification: Notification } {
  const parsed = messageSchema.safeParse(message);
  if (!parsed.success) throw new Refusal(41, `Invalid Arguments: ${parsed.error.issues[0]?.path.join('.')}`);
  const text = JSON.stringify(parsed.data.notification);
  const notification = known.get(text) ?? checkNotification(parsed.data.notification, strict);
  known.set(text, notification);
  const hasPicture = notification.style === 3 || notification.small_picture_id !== undefined;
  if (hasPicture) throw new Refusal(27, 'Access Denied');
  return { target: parsed.data.target_value, notification };
}
