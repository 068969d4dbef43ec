import { codePoints, StrictRules } from '@pushfleet/channel-kit/testing';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';

/** A refusal, as the vendor numbers it. */
export class Refusal extends Error {
  constructor(
    readonly result: number,
    readonly desc: string,
    readonly details: JsonObject = {},
  ) {
    super(desc);
  }
}

/** Rules of which only one side is known: documents of different years, or what only senders tell. */
export const openStrictRules = () =>
  new StrictRules({
    'app-key': 'refuses every appKey but the profile’s own, as 10202 (vivo push server API 2.9.2, "Return codes")',
    'app-id': 'refuses a message without appId, as 10094 (2.9.2; the vendor’s own library 3.3 sends none)',
    'auth-rate':
      'refuses more than 10 authentications a second of an app, as 10093 (2.9.2, "Auth"; one server for the code)',
    'old-lengths': 'refuses skipContent over 1024 and callback.param over 64 (2.9.2; newer notes have 2048 and 192)',
    'one-day': 'refuses a life of over a day, as 10059 (newer notes: cut to a day; server SDK 2.x: seven days)',
  });

export type VivoStrictRules = ReturnType<typeof openStrictRules>;

export const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

type Rule = readonly [result: number, desc: string, isBroken: (body: JsonObject, strict: VivoStrictRules) => boolean];

export const AUTH_RULES: readonly Rule[] = [
  [10200, 'appId为空', ({ appId }) => isEmpty(appId)],
  [10201, 'appKey为空', ({ appKey }) => isEmpty(appKey)],
  [10203, 'timestamp为空', ({ timestamp }) => isEmpty(timestamp)],
  [10204, 'sign为空', ({ sign }) => isEmpty(sign)],
];

export function checkRequestId({ requestId }: JsonObject): string {
  if (isEmpty(requestId)) throw new Refusal(10352, 'requestId为空');
  if (String(requestId).length > 64) throw new Refusal(10353, 'requestId超过64个字符');
  return String(requestId);
}

export function check(rules: readonly Rule[], body: JsonObject, strict: VivoStrictRules): void {
  for (const [result, desc, isBroken] of rules) if (isBroken(body, strict)) throw new Refusal(result, desc);
}

const isOver = (value: Json | undefined, max: number): boolean => codePoints(String(value)) > max;
/** The vendor's own samples write some numbers as text. */
const isNone = (value: Json | undefined, allowed: readonly number[]): boolean => !allowed.includes(Number(value));
const isOptionalNone = (value: Json | undefined, allowed: readonly number[]): boolean =>
  value !== undefined && isNone(value, allowed);

const SYSTEM = ['IM', 'ACCOUNT', 'TODO', 'DEVICE_REMINDER', 'ORDER', 'SUBSCRIPTION'];
const OPERATION = ['NEWS', 'CONTENT', 'MARKETING', 'SOCIAL'];

const isMismatched = ({ classification, category }: JsonObject): boolean =>
  category !== undefined &&
  classification !== undefined &&
  !(Number(classification) === 1 ? SYSTEM : OPERATION).includes(String(category));

const pairsOf = ({ clientCustomMap }: JsonObject): [string, Json][] =>
  isJsonObject(clientCustomMap) ? Object.entries(clientCustomMap) : [];

const arePairsIllegal = (body: JsonObject): boolean => {
  if (body['clientCustomMap'] !== undefined && !isJsonObject(body['clientCustomMap'])) return true;
  const pairs = pairsOf(body);
  const length = pairs.reduce((total, [key, value]) => total + key.length + String(value).length, 0);
  return length > 1024 || pairs.some(([, value]) => typeof value !== 'string');
};

const EXTRA_KEYS = ['callback', 'callback.param', 'callback.id'];
export const extraOf = ({ extra }: JsonObject): JsonObject => (isJsonObject(extra) ? extra : {});

/** vivo push server API 2.9.2, "Single push"; limits as in the vendor's newer descriptions. */
const MESSAGE_RULES: readonly Rule[] = [
  [10054, 'notifyType不合法', ({ notifyType }) => isNone(notifyType, [1, 2, 3, 4])],
  [10055, 'title为空', ({ title }) => isEmpty(title)],
  [10056, 'title过长', ({ title }) => isOver(title, 40)],
  [10057, 'content为空', ({ content }) => isEmpty(content)],
  [10058, 'content过长', ({ content }) => isOver(content, 100)],
  [10060, 'skipType不合法', ({ skipType }) => isNone(skipType, [1, 2, 3, 4])],
  [10061, 'skipContent为空', (body) => isLinkMissing(body, 2)],
  [10062, 'skipContent过长', (body, strict) => isLinkTooLong(body, 2, strict)],
  [10063, 'skipContent为空', (body) => isLinkMissing(body, 3)],
  [10064, 'skipContent过长', (body, strict) => isLinkTooLong(body, 3, strict)],
  [10068, 'skipContent为空', (body) => isLinkMissing(body, 4)],
  [10069, 'skipContent过长', (body, strict) => isLinkTooLong(body, 4, strict)],
  [10065, 'networkType不合法', ({ networkType }) => isOptionalNone(networkType, [-1, 1])],
  [10066, '自定义键值对超过10个', (body) => pairsOf(body).length > 10],
  [10067, '自定义键值对不合法', arePairsIllegal],
  [10095, 'notifyId不合法', ({ notifyId }) => notifyId !== undefined && !isNotifyId(notifyId)],
  [11000, 'classification不合法', ({ classification }) => isOptionalNone(classification, [0, 1])],
  [10096, 'category不合法', ({ category }) => category !== undefined && !isCategory(category)],
  [10097, 'category与classification不匹配', isMismatched],
  [10304, 'extra包含未知key', (body) => Object.keys(extraOf(body)).some((key) => !EXTRA_KEYS.includes(key))],
  [10305, 'callback过长', (body) => isOver(extraOf(body)['callback'] ?? '', 128)],
  [
    10306,
    'callback.param过长',
    (body, strict) => isOver(extraOf(body)['callback.param'] ?? '', strict.isOn('old-lengths') ? 64 : 192),
  ],
  [10050, 'addBadge不合法', ({ addBadge }) => addBadge !== undefined && typeof addBadge !== 'boolean'],
];

const isLinkMissing = ({ skipType, skipContent }: JsonObject, type: number): boolean =>
  Number(skipType) === type && isEmpty(skipContent);

function isLinkTooLong({ skipType, skipContent }: JsonObject, type: number, strict: VivoStrictRules): boolean {
  return Number(skipType) === type && isOver(skipContent, strict.isOn('old-lengths') ? 1024 : 2048);
}

const isCategory = (category: Json): boolean => [...SYSTEM, ...OPERATION].includes(String(category));
const isNotifyId = (id: Json): boolean => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= 2_147_483_647;

export function checkMessage(message: JsonObject, minTtlS: number, strict: VivoStrictRules): void {
  check(MESSAGE_RULES, message, strict);
  const ttl = Number(message['timeToLive'] ?? 86_400);
  const maxTtlS = strict.isOn('one-day') ? 86_400 : 604_800;
  if (!Number.isInteger(ttl) || ttl < minTtlS || ttl > maxTtlS) throw new Refusal(10059, 'timeToLive不合法');
}
