import { codePoints, parseFields, StrictRules } from '@pushfleet/channel-kit/testing';
import { DAY_MS } from '@pushfleet/domain';

export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly description?: string;
}

/** Rules of which only one side is known, or that senders of before 2024 break. */
export const openStrictRules = () =>
  new StrictRules({
    'pass-through':
      'refuses pass_through 1: stopped on 2022-09-12 for all but the system’s own apps (Xiaomi, pId=2766, as two senders cite it)',
    'notify-effect':
      'refuses a notification without extra.notify_effect: not usable normally from 2024-09-30 (Xiaomi, pId=1856, 2024-08-14)',
    channel:
      'refuses a notification without extra.channel_id: not delivered since 2025-04 on Android 8 and later (two hosted services)',
    'public-life':
      'refuses a life of over a day without extra.channel_id: public messages live a day (Xiaomi, pId=1854, 2024-09-03); whether longer is refused or cut is not published',
    package: 'refuses every restricted_package_name but com.example.app (Xiaomi "Error codes", 2024-10-18, 22022)',
  });

type MiStrictRules = ReturnType<typeof openStrictRules>;

/** What of a call is not in its form. */
interface Call {
  readonly strict: MiStrictRules;
  readonly now: number;
  /** The field that its path addresses by. */
  readonly address: string;
}

/** Undefined when the vendor takes the form. */
type Check = (form: URLSearchParams, call: Call) => Refusal | undefined;

export const ADDRESSES: Readonly<Record<string, string>> = {
  regid: 'registration_id',
  alias: 'alias',
  user_account: 'user_account',
};

/** The comma after the last is a habit of some senders. */
export const targetsOf = (form: URLSearchParams, field: string): string[] =>
  (form.get(field) ?? '').split(',').filter((id) => id !== '');

const missing = (name: string): Refusal => ({ code: 10016, reason: `Required parameter ${name} is missing.` });
const illegal = (name: string): Refusal => ({ code: 10017, reason: `Parameter value of ${name} is illegal.` });

/** What a sender leaves empty among the extras counts as left out. */
const valueOf = (form: URLSearchParams, name: string): string | undefined => {
  const value = form.get(name) ?? undefined;
  return value === '' && name.startsWith('extra.') ? undefined : value;
};

/** A field that may be absent; present, it must satisfy the rule. */
const optional =
  (name: string, isLegal: (value: string, call: Call) => boolean, refusal: Refusal = illegal(name)): Check =>
  (form, call) => {
    const value = valueOf(form, name);
    return value === undefined || isLegal(value, call) ? undefined : refusal;
  };

const isPassThrough = (form: URLSearchParams): boolean => form.get('pass_through') === '1';

/** A text that a notification must have and a pass-through message need not. */
const noticeText =
  (name: string, under: number): Check =>
  (form) => {
    if (isPassThrough(form)) return undefined;
    const text = form.get(name) ?? '';
    if (text.trim() === '') return missing(name);
    return codePoints(text) < under ? undefined : illegal(name);
  };

const integer =
  (min: number, max: number) =>
  (value: string): boolean =>
    /^-?\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;

const oneOf =
  (...values: string[]) =>
  (value: string): boolean =>
    values.includes(value);

const WRONG_PACKAGE: Refusal = {
  code: 22022,
  reason: 'Illegal package name.',
  description: '应用程序package name不合法',
};

export const packageName = (form: URLSearchParams, { strict }: Pick<Call, 'strict'>): Refusal | undefined => {
  const names = (form.get('restricted_package_name') ?? '').split(',').filter((name) => name !== '');
  const isLegal = (name: string): boolean => /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(name);
  const isOwn = (name: string): boolean => !strict.isOn('package') || name === 'com.example.app';
  return names.every((name) => isLegal(name) && isOwn(name)) ? undefined : WRONG_PACKAGE;
};

const targets: Check = (form, { address }) => {
  const fields = Object.values(ADDRESSES).filter((field) => form.has(field));
  if (fields.length > 1) return illegal(fields.join(', '));
  const count = targetsOf(form, address).length;
  if (count === 0) return missing(address);
  return count <= 1000 ? undefined : illegal(address);
};

const passThrough: Check = (form, call) => {
  if (isPassThrough(form) && call.strict.isOn('pass-through')) return { code: 10036, reason: 'Forbidden to send.' };
  return optional('pass_through', oneOf('0', '1'))(form, call);
};

const payload: Check = (form) => {
  const text = form.get('payload');
  if (isPassThrough(form) && (text ?? '').trim() === '') return missing('payload');
  const isFitting = Buffer.byteLength(text ?? '') <= 4096;
  return isFitting ? undefined : { code: 65009, reason: 'Message is too long.' };
};

const CALLBACK = 'extra.callback';
const CHANNEL = 'extra.channel_id';
const EFFECT = 'extra.notify_effect';
const DOCUMENTED_EXTRA = new Set(
  [
    ...['channel_id', 'channel_name', 'channel_description', 'notify_effect', 'intent_uri', 'web_uri'],
    ...['notify_foreground', 'sound_uri', 'ticker', 'flow_control', 'jobkey', 'callback', 'callback.param'],
    ...['callback.type', 'only_send_once', 'locale', 'locale_not_in', 'model', 'model_not_in', 'app_version'],
    ...['app_version_not_in', 'connpt', 'layout_name', 'layout_value', 'template_id', 'template_param'],
  ].map((name) => `extra.${name}`),
);

/** Xiaomi "Error codes", 2024-10-18: 65014 too many pairs, 65015 a pair too long. */
const ownExtra: Check = (form) => {
  const own = [...form].filter(([name]) => name.startsWith('extra.') && !DOCUMENTED_EXTRA.has(name));
  if (own.length > 10) return { code: 65014, reason: 'Too many key-value pairs.' };
  const isLong = own.some(([name, value]) => name.length - 'extra.'.length > 1024 || value.length > 1024);
  return isLong ? { code: 65015, reason: 'Key or value is too long.' } : undefined;
};

const tap: Check = (form, { strict }) => {
  const effect = valueOf(form, EFFECT);
  if (effect === undefined) return !isPassThrough(form) && strict.isOn('notify-effect') ? missing(EFFECT) : undefined;
  if (!['1', '2', '3'].includes(effect)) return illegal(EFFECT);
  const needed = { 2: 'extra.intent_uri', 3: 'extra.web_uri' }[effect];
  return needed === undefined || valueOf(form, needed) !== undefined ? undefined : missing(needed);
};

const channel: Check = (form, { strict }) => {
  if (valueOf(form, CHANNEL) !== undefined || isPassThrough(form)) return undefined;
  const refusal = { code: 27001, reason: 'Channel info is invalid.' };
  if (strict.isOn('channel') || valueOf(form, 'extra.template_id') !== undefined) return refusal;
  const isLong = Number(form.get('time_to_live') ?? 0) > DAY_MS;
  return isLong && strict.isOn('public-life') ? illegal('time_to_live') : undefined;
};

const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;
const MAX_VARIABLES = 9;

/** Xiaomi, pId=2314, 2026-06-02: text, at most nine values of 1 to 128 characters, neither blank nor with emoji. */
const templateParam = (text: string): boolean => {
  const values = Object.values(parseFields(text) ?? {});
  if (parseFields(text) === undefined || values.length > MAX_VARIABLES) return false;
  return values.every(
    (value) => typeof value === 'string' && value.trim() !== '' && codePoints(value) <= 128 && !EMOJI.test(value),
  );
};

/** Senders in the field number their notifications by the clock: 13 digits are taken. */
const MAX_NOTIFY_ID = 9_999_999_999_999;

/** Seven days in older documents. */
const MAX_SCHEDULED_MS = 30 * DAY_MS;

export const CHECKS: readonly Check[] = [
  targets,
  packageName,
  passThrough,
  noticeText('title', 50),
  noticeText('description', 128),
  payload,
  optional('notify_type', integer(-1, 7)),
  optional('time_to_live', integer(1, 10 * DAY_MS)),
  optional('time_to_send', (at, { now }) => integer(0, now + MAX_SCHEDULED_MS)(at)),
  optional('notify_id', integer(0, MAX_NOTIFY_ID)),
  tap,
  optional('extra.web_uri', (uri) => /^https?:\/\//.test(uri)),
  channel,
  optional('extra.notify_foreground', oneOf('0', '1')),
  optional('extra.jobkey', (key) => /^[0-9A-Za-z-][0-9A-Za-z_-]{0,19}$/.test(key)),
  optional('extra.template_param', templateParam),
  optional(CALLBACK, (url) => /^https?:\/\/\S+$/.test(url), { code: 65038, reason: 'Illegal callback url.' }),
  optional(CALLBACK, (url) => url.length <= 1024, { code: 65037, reason: 'Callback url is too long.' }),
  optional(`${CALLBACK}.param`, (text) => Buffer.byteLength(text) <= 256, {
    code: 65036,
    reason: 'Callback param is too long.',
  }),
  optional(`${CALLBACK}.type`, integer(1, 2047)),
  ownExtra,
];
