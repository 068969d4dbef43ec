import { layOver, refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

const TARGETS = [
  ...['pushId', 'pushIds', 'alias', 'tagNames', 'topic', 'topics', 'taskId', 'registration_id', 'regIds'],
  ...['restrictedPackageName', 'restrictedPackageNames', 'appId', 'sign', 'token', 'condition'],
];
const CALLBACKS = ['callback', 'callback.param', 'callback.type'];
/** Handed to the app: its keys are its own words. */
export const APP_DATA = new Set(['clickTypeInfo.parameters']);
const REFUSED = [...TARGETS, ...CALLBACKS, ...CALLBACKS.map((key) => `extra.${key}`)];

/** The parts of the vendor's message; each is an object. */
const PARTS = [
  ...['noticeBarInfo', 'noticeExpandInfo', 'clickTypeInfo', 'pushTimeInfo', 'advanceInfo', 'vipInfo', 'extra'],
];
/** These restate the common data; they are not the vendor's fields. */
const COMMON = new Set(['alert', 'title', 'silent', 'sound', 'badge', 'action']);

export function parseSection(section: JsonObject): JsonObject {
  refuseKeys(section, REFUSED, APP_DATA);
  for (const part of PARTS) {
    const value = section[part];
    if (value !== undefined && !isJsonObject(value)) throw new SectionProblem(`${part}: must be an object`);
  }
  const msgType = section['noticeMsgType'];
  if (msgType !== undefined && msgType !== 0 && msgType !== 1)
    throw new SectionProblem('noticeMsgType: must be 0 or 1');
  checkTap(section['clickTypeInfo']);
  return section;
}

/** Meizu PushAPI README, 2025-04-09, clickTypeInfo: 0 opens the app, 3 hands over an attribute of its own. */
const COMPANIONS: Readonly<Record<number, string | undefined>> = { 1: 'activity', 2: 'url', 3: 'customAttribute' };

function checkTap(tap: Json | undefined): void {
  if (!isJsonObject(tap) || tap['clickType'] === undefined) return;
  const type = Number(tap['clickType']);
  if (![0, 1, 2, 3].includes(type)) throw new SectionProblem('clickTypeInfo.clickType: must be 0, 1, 2 or 3');
  const companion = COMPANIONS[type];
  if (companion === undefined || (typeof tap[companion] === 'string' && tap[companion] !== '')) return;
  throw new SectionProblem(`clickTypeInfo.${companion}: is required by clickType ${type}`);
}

/** The section as a part of the vendor's message; `noticeMsgType` may stand outside `noticeBarInfo`. */
export function sectionMessage(section: JsonObject): JsonObject {
  const { noticeMsgType, ...parts } = section;
  const own = Object.fromEntries(Object.entries(parts).filter(([key]) => !COMMON.has(key)));
  return noticeMsgType === undefined ? own : layOver({ noticeBarInfo: { noticeMsgType } }, own);
}
