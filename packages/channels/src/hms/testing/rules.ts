import {
  codePoints,
  fieldsOf,
  isFilledText,
  isHttps,
  isIntegerIn,
  isTap,
  isUtcTime,
  parseFields,
  type Fields,
  type StrictRules,
} from '@pushfleet/channel-kit/testing';

/**
 * What the vendor refuses, after Huawei "Push Kit REST API: sending messages, v1/v2", copy dated 2025-08, unless a line
 * names another source. Which code a violation has is published for a few of them only: structure is 80100003, the value
 * of a field 80100001.
 */
export interface Refusal {
  readonly code: string;
  readonly msg: string;
}

export const STRUCTURE: Refusal = { code: '80100003', msg: 'Illegal payload' };
const PARAMETER: Refusal = { code: '80100001', msg: 'Parameter error' };

/** Only one hosted service lists this category (2026), and no document of the vendor. */
export const STRICT = {
  'system-reminder': 'category SYSTEM_REMINDER is refused, as the vendor’s document has no such',
};
type Strict = StrictRules<keyof typeof STRICT>;

const MESSAGE_FIELDS = new Set(['data', 'notification', 'android', 'token', 'topic', 'condition', 'apns', 'webpush']);

type Rule = readonly [field: string, holds: (value: unknown, strict: Strict) => boolean, refusal?: Refusal];

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTextOf =
  (max: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && codePoints(value) <= max;
const isListOf =
  (max: number, holds: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length >= 1 && value.length <= max && value.every(holds);
const isOneOf =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);

const CATEGORIES = [
  ...['IM', 'VOIP', 'SUBSCRIPTION', 'TRAVEL', 'HEALTH', 'WORK', 'ACCOUNT', 'EXPRESS', 'FINANCE', 'DEVICE_REMINDER'],
  ...['MAIL', 'PLAY_VOICE', 'MARKETING'],
];

const isCategory = (value: unknown, strict: Strict): boolean =>
  CATEGORIES.includes(String(value)) || (value === 'SYSTEM_REMINDER' && !strict.isOn('system-reminder'));

function isLife(life: unknown): boolean {
  if (typeof life !== 'string' || !/^\d{1,7}(\.\d{1,9})?s?$/.test(life)) return false;
  const seconds = Number.parseFloat(life);
  return seconds > 0 && seconds <= 1_296_000;
}

/** `message.android`; a field that is not listed is refused. */
const ANDROID_RULES: readonly Rule[] = [
  ['collapse_key', (v) => isIntegerIn(v, -1, 100), { code: '80100013', msg: 'collapse_key is illegal' }],
  ['urgency', isOneOf('HIGH', 'NORMAL')],
  ['category', isCategory],
  ['ttl', isLife, { code: '80100004', msg: 'ttl is illegal' }],
  ['bi_tag', isText],
  ['receipt_id', isFilledText, { code: '80300013', msg: 'receipt_id is illegal' }],
  // The vendor's own Node.js library adds it to every message.
  ['fast_app_target', isOneOf(1, 2)],
  ['data', isText],
  ['target_user_type', isOneOf(0, 1)],
  ['notification', (v) => fieldsOf(v) !== undefined, STRUCTURE],
];

const isButton = (value: unknown): boolean => {
  const button = fieldsOf(value);
  if (!button || !isFilledText(button['name']) || codePoints(button['name']) > 40) return false;
  const { action_type: action, intent_type: intent = 0, data = '' } = button;
  return isIntegerIn(action, 0, 4) && isIntegerIn(intent, 0, 1) && isTextOf(1024)(data);
};

function isBadge(value: unknown): boolean {
  const badge = fieldsOf(value);
  if (!badge) return false;
  const { add_num: add = 1, set_num: set = 0, class: launcher = 'x', ...unknown } = badge;
  const isCounting = isIntegerIn(add, 1, 99) && isIntegerIn(set, 0, 99);
  return isCounting && isFilledText(launcher) && Object.keys(unknown).length === 0;
}

const isDuration = (value: unknown): boolean => {
  const seconds = typeof value === 'string' && /^\d+(\.\d+)?s$/.test(value) ? Number.parseFloat(value) : 0;
  return seconds > 0 && seconds < 60;
};

const isLight = (value: unknown): boolean => {
  const { color, light_on_duration: on = '1s', light_off_duration: off = '1s' } = fieldsOf(value) ?? {};
  const shares = Object.values(fieldsOf(color) ?? { none: undefined });
  const isColor = shares.every((share) => typeof share === 'number' && share >= 0 && share <= 1);
  return isColor && [on, off].every((time) => /^\d+(\.\d{1,9})?[sS]?$/.test(String(time)));
};

const areLanguages = (value: unknown): boolean => {
  const texts = fieldsOf(value);
  return !!texts && Object.values(texts).every((inEach) => Object.keys(fieldsOf(inEach) ?? {}).length <= 3);
};

/** `message.android.notification`; a field that is not listed is refused. */
const NOTICE_RULES: readonly Rule[] = [
  ...['title', 'body', 'icon', 'sound', 'tag', 'group', 'big_title', 'big_body', 'notify_summary', 'ticker'].map(
    (field): Rule => [field, isText],
  ),
  ...['default_sound', 'auto_cancel', 'local_only', 'foreground_show', 'use_default_vibrate', 'use_default_light'].map(
    (field): Rule => [field, isFlag],
  ),
  ...['title_loc_key', 'body_loc_key'].map((field): Rule => [field, isText]),
  ...['title_loc_args', 'body_loc_args'].map((field): Rule => [field, isListOf(100, isText)]),
  ['multi_lang_key', areLanguages],
  ['when', isUtcTime],
  ['color', (v) => typeof v === 'string' && /^#[0-9A-Fa-f]{6}$/.test(v)],
  ['notify_id', (v) => isIntegerIn(v, -1, 2_147_483_647)],
  ['channel_id', isFilledText],
  // HIGH stands in the enumerations of the vendor's libraries only.
  ['importance', isOneOf('LOW', 'NORMAL', 'HIGH')],
  // 2, a big picture, stands in old samples only.
  ['style', isOneOf(0, 1, 2, 3)],
  ['inbox_content', isListOf(5, isTextOf(1024))],
  ['image', isHttps],
  ['auto_clear', (v) => isIntegerIn(v, 1, Number.MAX_SAFE_INTEGER)],
  ['visibility', isOneOf('VISIBILITY_UNSPECIFIED', 'PRIVATE', 'PUBLIC', 'SECRET')],
  ['vibrate_config', isListOf(10, isDuration)],
  ['light_settings', isLight],
  ['buttons', isListOf(3, isButton)],
  ['profile_id', isTextOf(64)],
  ['badge', isBadge],
  ['click_action', (v) => fieldsOf(v) !== undefined, STRUCTURE],
];

const ANDROID_FIELDS = new Set(ANDROID_RULES.map(([field]) => field));
const NOTICE_FIELDS = new Set(NOTICE_RULES.map(([field]) => field));

const hasUnknown = (value: Fields | undefined, known: ReadonlySet<string>): boolean =>
  Object.keys(value ?? {}).some((field) => !known.has(field));

function broken(rules: readonly Rule[], value: Fields | undefined, strict: Strict): Refusal | undefined {
  for (const [field, holds, refusal = PARAMETER] of rules) {
    if (value?.[field] !== undefined && !holds(value[field], strict)) return refusal;
  }
  return undefined;
}

function refuseTargets(message: Fields): Refusal | undefined {
  const given = ['token', 'topic', 'condition'].filter((key) => message[key] !== undefined);
  if (given.length !== 1) return PARAMETER;
  const tokens = message['token'];
  if (!Array.isArray(tokens)) return { code: '80300010', msg: 'The token field is missing or misplaced' };
  if (tokens.length < 1 || tokens.length > 1000) return { code: '80300010', msg: 'The number of tokens is illegal' };
  return tokens.every(isFilledText) ? undefined : PARAMETER;
}

const isJsonText = (value: unknown): boolean => typeof value === 'string' && parseFields(value) !== undefined;

function isNotification(notice: Fields, data: unknown): boolean {
  const hasTexts = isFilledText(notice['title']) && isFilledText(notice['body']);
  const isWhole = notice['style'] !== 1 || (isFilledText(notice['big_title']) && isFilledText(notice['big_body']));
  const hasLines = notice['style'] !== 3 || Array.isArray(notice['inbox_content']);
  return (
    hasTexts &&
    isWhole &&
    hasLines &&
    isTap(fieldsOf(notice['click_action']), [3, 4]) &&
    (data === undefined || isJsonText(data))
  );
}

/** A notification is complete, a data message has data; urgency and spoken messages are for the second kind alone. */
function refuseShape(message: Fields, android: Fields): Refusal | undefined {
  const notice = fieldsOf(android['notification']);
  const common = fieldsOf(message['notification']);
  const data = android['data'] ?? message['data'];
  if (!notice && !common) return typeof data === 'string' ? undefined : STRUCTURE;
  if (!isHttps(common?.['image'] ?? 'https://')) return PARAMETER;
  if (!isNotification({ ...common, ...notice }, data)) return STRUCTURE;
  return isOfSilentMessages(android) ? PARAMETER : undefined;
}

const isOfSilentMessages = ({ urgency, category }: Fields): boolean =>
  urgency !== undefined || category === 'PLAY_VOICE';

/** Undefined when the vendor takes the message. */
export function refusalOf(message: Fields, strict: Strict): Refusal | undefined {
  const android = fieldsOf(message['android'] ?? {});
  const notice = fieldsOf(android?.['notification']);
  if (!android || hasUnknown(message, MESSAGE_FIELDS)) return STRUCTURE;
  if (hasUnknown(android, ANDROID_FIELDS) || hasUnknown(notice, NOTICE_FIELDS)) return STRUCTURE;
  return (
    refuseTargets(message) ??
    refuseShape(message, android) ??
    broken(ANDROID_RULES, android, strict) ??
    broken(NOTICE_RULES, notice, strict)
  );
}

/** A client of the field sends `topic: null` beside its tokens (2026): null is a field that is not there. */
export function withoutNulls(value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (item === null) return [];
      const inner = fieldsOf(item);
      return [[key, inner ? withoutNulls(inner) : item]];
    }),
  );
}
