import { refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { textPairs } from './pairs';

const TARGETS = [
  ...['regId', 'regIds', 'registration_id', 'registration_ids', 'registrationId', 'registrationIds', 'pushId'],
  ...['pushIds', 'token', 'tokens', 'alias', 'aliases', 'userid', 'topic', 'condition', 'tag', 'tags'],
  ...['orTags', 'andTags', 'notTags', 'tagExpression', 'taskId', 'requestId', 'appId', 'authToken'],
];
const CALLBACKS = ['callback', 'callback.id', 'callback.param'];
const REFUSED = [...TARGETS, ...CALLBACKS];

/** The vendor hands these pairs to the app as they are. */
export const APP_DATA: ReadonlySet<string> = new Set(['clientCustomMap']);

const OPEN_APP = 1;

export function parseSection(section: JsonObject): JsonObject {
  const { clientCustomMap, ...fields } = section;
  refuseKeys(fields, REFUSED);
  checkTap(fields);
  checkClass(fields['classification']);
  return clientCustomMap === undefined ? fields : { ...fields, clientCustomMap: parsePairs(clientCustomMap) };
}

function checkTap({ skipType, skipContent }: JsonObject): void {
  if (skipType === undefined) return;
  if (typeof skipType !== 'number' || ![1, 2, 3, 4].includes(skipType))
    throw new SectionProblem('skipType: must be 1, 2, 3 or 4');
  if (skipType !== OPEN_APP && (typeof skipContent !== 'string' || skipContent === ''))
    throw new SectionProblem(`skipContent: is required by skipType ${skipType}`);
}

function checkClass(classification: Json | undefined): void {
  if (classification !== undefined && classification !== 0 && classification !== 1)
    throw new SectionProblem('classification: must be 0 or 1');
}

function parsePairs(pairs: Json): JsonObject {
  if (!isJsonObject(pairs)) throw new SectionProblem('clientCustomMap: must be an object');
  return textPairs(pairs);
}
