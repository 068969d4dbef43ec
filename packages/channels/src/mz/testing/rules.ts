import { codePoints } from '@pushfleet/channel-kit/testing';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

export const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

/** `part.field`, where the field's name may itself hold a dot. */
export function at(message: JsonObject, path: string): Json | undefined {
  const dot = path.indexOf('.');
  const part = message[dot === -1 ? path : path.slice(0, dot)];
  return dot === -1 ? part : isJsonObject(part) ? part[path.slice(dot + 1)] : undefined;
}

interface Rule {
  readonly path: string;
  readonly isLegal: (value: Json | undefined, message: JsonObject) => boolean;
}

type Legal = Rule['isLegal'];

const text =
  (min: number, max: number): Legal =>
  (value) =>
    typeof value === 'string' && codePoints(value) >= min && codePoints(value) <= max;

const bytes =
  (max: number): Legal =>
  (value) =>
    typeof value === 'string' && Buffer.byteLength(value) <= max;

const filledBytes =
  (max: number): Legal =>
  (value, message) =>
    isFilled(value) && bytes(max)(value, message);

const optional =
  (isLegal: Legal): Legal =>
  (value, message) =>
    value === undefined || isLegal(value, message);

const oneOf =
  (...values: Json[]): Legal =>
  (value) =>
    value !== undefined && values.includes(value);

/** The HTTP document has 0 and 1, the official Java SDK sends booleans. */
const flag = optional(oneOf(0, 1, true, false));

/** Wanted exactly when another field has the value. */
const companion =
  (path: string, wanted: Json, isLegal: Legal): Legal =>
  (value, message) =>
    at(message, path) !== wanted || isLegal(value, message);

/** How long to keep a message for absent devices; the vendor's default applies when the whole part is absent. */
const validTime: Legal = (hours, message) => {
  const part = message['pushTimeInfo'];
  if (!isJsonObject(part) || part['offLine'] === 0 || part['offLine'] === false) return true;
  return Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 72;
};

const areFlags: Legal = (value, message) =>
  isJsonObject(value) && ['vibrate', 'lights', 'sound'].every((name) => flag(value[name], message));

/** The vendor's library sends an empty one where nothing is fixed. */
const displayTime: Legal = (time) =>
  time === undefined || time === '' || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(time));

/** Seconds, 0 for none; or at the top of what is pulled down, not both. */
const timeOnTop: Legal = (seconds, message) => {
  if (seconds === 0) return true;
  const isPulled = [1, true].includes(at(message, 'vipInfo.pullDownTop') as number | boolean);
  return Number.isInteger(seconds) && Number(seconds) >= 1800 && Number(seconds) <= 7200 && !isPulled;
};

const titleColor: Legal = (color, message) => {
  if (color === '') return true;
  return (color === '#206CFF' || color === '#E42D22') && !isFilled(at(message, 'vipInfo.backgroundImgUrl'));
};

const callbackUrl: Legal = (url, message) => bytes(128)(url, message) && /^https?:\/\//.test(String(url));

const RULES: readonly Rule[] = [
  { path: 'noticeBarInfo.title', isLegal: text(1, 32) },
  { path: 'noticeBarInfo.content', isLegal: text(1, 100) },
  { path: 'noticeBarInfo.noticeMsgType', isLegal: optional(oneOf(0, 1)) },
  { path: 'noticeBarInfo.noticeBarType', isLegal: optional(oneOf(0, 2)) },
  { path: 'noticeExpandInfo.noticeExpandType', isLegal: optional(oneOf(0, 1, 2)) },
  {
    path: 'noticeExpandInfo.noticeExpandContent',
    isLegal: companion('noticeExpandInfo.noticeExpandType', 1, text(1, 4096)),
  },
  {
    path: 'noticeExpandInfo.noticeExpandImgUrl',
    isLegal: companion('noticeExpandInfo.noticeExpandType', 2, text(1, 1000)),
  },
  { path: 'clickTypeInfo.clickType', isLegal: optional(oneOf(0, 1, 2, 3)) },
  { path: 'clickTypeInfo.activity', isLegal: companion('clickTypeInfo.clickType', 1, filledBytes(1000)) },
  { path: 'clickTypeInfo.url', isLegal: companion('clickTypeInfo.clickType', 2, filledBytes(1000)) },
  { path: 'clickTypeInfo.customAttribute', isLegal: companion('clickTypeInfo.clickType', 3, isFilled) },
  { path: 'clickTypeInfo.customAttribute', isLegal: optional(bytes(1000)) },
  { path: 'clickTypeInfo.parameters', isLegal: optional(isJsonObject) },
  { path: 'pushTimeInfo.offLine', isLegal: flag },
  { path: 'pushTimeInfo.validTime', isLegal: validTime },
  { path: 'advanceInfo.suspend', isLegal: flag },
  { path: 'advanceInfo.clearNoticeBar', isLegal: flag },
  { path: 'advanceInfo.fixDisplay', isLegal: flag },
  { path: 'advanceInfo.fixStartDisplayTime', isLegal: displayTime },
  { path: 'advanceInfo.fixEndDisplayTime', isLegal: displayTime },
  { path: 'advanceInfo.notificationType', isLegal: optional(areFlags) },
  {
    path: 'advanceInfo.notifyKey',
    isLegal: optional((key) => typeof key === 'string' && /^[0-9A-Za-z_-]{0,8}$/.test(key)),
  },
  { path: 'vipInfo.subtitle', isLegal: optional(text(0, 16)) },
  { path: 'vipInfo.pullDownTop', isLegal: flag },
  { path: 'vipInfo.notGroup', isLegal: flag },
  { path: 'vipInfo.timeTop', isLegal: optional(timeOnTop) },
  { path: 'vipInfo.titleColor', isLegal: optional(titleColor) },
  { path: 'extra.callback.param', isLegal: optional(bytes(64)) },
  { path: 'extra.callback.type', isLegal: optional(oneOf('1', '2', '3', 1, 2, 3)) },
  {
    path: 'extra.callback',
    // The address asks for receipts; without one the vendor's library sends an empty part.
    isLegal: (url, message) =>
      at(message, 'extra.callback.param') === undefined && at(message, 'extra.callback.type') === undefined
        ? optional(callbackUrl)(url, message)
        : callbackUrl(url, message),
  },
];

/** What the vendor refuses in a message, by the first field that is wrong. */
export const wrongField = (message: JsonObject): string | undefined =>
  RULES.find(({ path, isLegal }) => !isLegal(at(message, path), message))?.path;
