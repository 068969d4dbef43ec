import { given, objectAt, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type Json, type JsonObject, writeJson } from '@pushfleet/domain';

/** Message types of the vendor's first push protocol. */
const PASS_THROUGH = 1;

/**
 * The message of the vendor's first push protocol, `{type, body: {title, content}, action: {type, param}}` with its
 * extras, as a v1 message. Type 1 was handed to the app, type 3 was shown.
 */
export function fromLegacy({ msg, ext }: { msg: Json; ext: Json | undefined }): JsonObject {
  if (!isJsonObject(msg)) throw new SectionProblem('msg: must be an object');
  if (msg['type'] === PASS_THROUGH) return { data: asText(msg['body'] ?? '') };
  const body = objectAt(msg['body'], 'msg.body');
  const action = objectAt(msg['action'], 'msg.action');
  return {
    ...given('notification', { ...given('title', body['title']), ...given('body', body['content']) }),
    android: {
      notification: {
        ...given('click_action', Object.keys(action).length > 0 ? click(action) : undefined),
        ...extras(objectAt(ext, 'ext')),
      },
    },
  };
}

const asText = (value: Json): string => (typeof value === 'string' ? value : writeJson(value));

/** Old and new types mean the same: 1 a page of the app, 2 an address, 3 the app itself. */
function click(action: JsonObject): JsonObject {
  const param = objectAt(action['param'], 'msg.action.param');
  return {
    type: action['type'] ?? 1,
    ...given('intent', param['intent']),
    ...given('action', param['action']),
    ...given('url', param['url']),
  };
}

function extras(ext: JsonObject): JsonObject {
  const badge = {
    ...given('add_num', count(ext['badgeAddNum'])),
    ...given('set_num', count(ext['badgeSetNum'])),
    ...given('class', ext['badgeClass']),
  };
  return Object.keys(badge).length > 0 ? { badge } : {};
}

/** The first protocol took numbers as text too; the current one does not. */
const count = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value;
