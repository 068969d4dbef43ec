import {
  codePoints,
  fieldsOf,
  isFilledText,
  isHttps,
  isIntegerIn,
  isTap,
  isUtcTime,
  jsonBytesWithout,
  parseFields,
  type Fields,
  type StrictRules,
} from '@pushfleet/channel-kit/testing';

/**
 * What the vendor refuses, after Honor "Push Kit: downlink message", state of 2024-10-11, as clients copy it. Fields that
 * are not documented are taken: several senders have some. The codes are those of the protocol that this one descends from.
 */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** The vendor documents neither number; both are those of the protocol that this one descends from. */
export const STRICT = {
  tokens: 'more than 1000 tokens in a call are refused',
  size: 'a body of more than 4096 bytes, tokens not counted, is refused',
};
type Strict = StrictRules<keyof typeof STRICT>;

const structure = (message: string): Refusal => ({ code: 80100003, message });
const parameter = (message: string): Refusal => ({ code: 80100001, message });

/** Undefined when the vendor takes the body. */
type Check = (body: Fields, strict: Strict) => Refusal | undefined;

const wrapped: Check = (body) => (body['message'] === undefined ? undefined : structure('message is no field'));

const target: Check = ({ token }, strict) => {
  if (!Array.isArray(token)) return parameter('token is required');
  const isTooMany = strict.isOn('tokens') && token.length > 1000;
  if (token.length < 1 || isTooMany) return { code: 80300010, message: 'number of tokens is illegal' };
  return token.every(isFilledText) ? undefined : parameter('token is illegal');
};

const size: Check = (body, strict) =>
  strict.isOn('size') && jsonBytesWithout(body, 'token') > 4096
    ? { code: 80300008, message: 'message body is too large' }
    : undefined;

const shape: Check = (body) => {
  const android = fieldsOf(body['android'] ?? {});
  if (!android) return structure('android is illegal');
  const notice = fieldsOf(android['notification']);
  const common = fieldsOf(body['notification']);
  const data = android['data'] ?? body['data'];
  if (notice || common) return checkNotice({ ...common, ...notice }, data);
  return typeof data === 'string' ? undefined : structure('data is required');
};

function checkNotice(notice: Fields, data: unknown): Refusal | undefined {
  if (!isFilledText(notice['title']) || !isFilledText(notice['body'])) return structure('title and body are required');
  if (!isTap(fieldsOf(notice['clickAction']), [3])) return structure('clickAction is illegal');
  const hasBigTexts = isFilledText(notice['bigTitle']) && isFilledText(notice['bigBody']);
  if (notice['style'] === 1 && !hasBigTexts) return structure('bigTitle and bigBody are required');
  return isJsonText(data) ? undefined : structure('data is not JSON');
}

/** A client of the field sends an empty text where it has no data (2026). */
const isJsonText = (data: unknown): boolean =>
  data === undefined || data === '' || (typeof data === 'string' && parseFields(data) !== undefined);

const isLife = (life: unknown): boolean =>
  typeof life === 'string' && /^\d{1,7}s$/.test(life) && isIntegerIn(Number.parseInt(life, 10), 1, 1_296_000);

type Rule = readonly [field: string, holds: (value: unknown) => boolean, code?: number];

const ANDROID_RULES: readonly Rule[] = [
  ['ttl', isLife, 80100004],
  ['biTag', (v) => typeof v === 'string'],
  ['targetUserType', (v) => isIntegerIn(v, 0, 1)],
];

const NOTICE_RULES: readonly Rule[] = [
  ['notifyId', (v) => isIntegerIn(v, -1, 2_147_483_647)],
  // A client of the field sends an empty text where it has no class (2026).
  ['importance', (v) => v === 'LOW' || v === 'NORMAL' || v === ''],
  ['style', (v) => isIntegerIn(v, 0, 1)],
  ['image', isHttps],
  ['when', isUtcTime],
  ['badge', (v) => isBadge(fieldsOf(v))],
  ['buttons', (v) => Array.isArray(v) && v.length <= 3 && v.every(isButton)],
];

function isButton(value: unknown): boolean {
  const button = fieldsOf(value);
  if (!button || !isFilledText(button['name']) || codePoints(button['name']) > 40) return false;
  const { actionType, intentType = 0, data = '' } = button;
  const isShort = typeof data === 'string' && codePoints(data) <= 1024;
  return isIntegerIn(actionType, 0, 2) && isIntegerIn(intentType, 0, 1) && isShort;
}

/** A client of the field sends `addNum: 0` beside `setNum` (2026). */
function isBadge(badge: Fields | undefined): boolean {
  if (!badge) return false;
  const { addNum, setNum, badgeClass = 'x' } = badge;
  const isAdding = addNum === undefined || isIntegerIn(addNum, setNum === undefined ? 1 : 0, 99);
  return isAdding && (setNum === undefined || isIntegerIn(setNum, 0, 99)) && isFilledText(badgeClass);
}

/** Shown by every phone; the notification's own fields win over it. */
const COMMON_RULES: readonly Rule[] = [['image', isHttps]];

function broken(rules: readonly Rule[], value: Fields | undefined): Refusal | undefined {
  for (const [field, holds, code = 80100001] of rules) {
    if (value?.[field] !== undefined && !holds(value[field])) return { code, message: `${field} is illegal` };
  }
  return undefined;
}

const CHECKS: readonly Check[] = [
  wrapped,
  target,
  size,
  shape,
  (body) => broken(COMMON_RULES, fieldsOf(body['notification'])),
  (body) => broken(ANDROID_RULES, fieldsOf(body['android'])),
  (body) => broken(NOTICE_RULES, fieldsOf(fieldsOf(body['android'])?.['notification'])),
];

export function refusalOf(body: Fields, strict: Strict): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(body, strict);
    if (refusal) return refusal;
  }
  return undefined;
}
