import { refuseKeys, SectionProblem } from '@pushfleet/channel-kit';
import { isJsonObject, type JsonObject, writeJson } from '@pushfleet/domain';

const TARGETS = [
  ...[
    'target_type',
    'target_value',
    'targetType',
    'targetValue',
    'target',
    'targets',
    'tag',
    'tags',
    'topic',
    'condition',
  ],
  ...['registration_id', 'registration_ids', 'registrationId', 'registrationIds', 'regId', 'regIds'],
  ...['token', 'tokens', 'pushId', 'pushIds'],
  ...['alias', 'aliases', 'message_id', 'messageId', 'task_id', 'taskId', 'app_message_id', 'auth_token'],
];
const CALLBACKS = ['call_back_url', 'call_back_parameter', 'callback', 'callback.id', 'callback.param'];
const REFUSED = [...TARGETS, ...CALLBACKS];

/** Tap actions and the field that each of them needs. */
const COMPANIONS: Readonly<Record<number, string | undefined>> = {
  1: 'click_action_activity',
  2: 'click_action_url',
  4: 'click_action_activity',
  5: 'click_action_url',
};

/** OPPO open platform, "Notification fields", page 11236. */
const WEB_PAGE = 2;

export function parseSection(section: JsonObject): JsonObject {
  const { action_parameters: parameters, ...fields } = section;
  refuseKeys(fields, REFUSED);
  return { ...fields, ...parseParameters(parameters), ...parseTap(fields) };
}

/** The vendor wants JSON text; senders also write the object itself. */
function parseParameters(parameters: JsonObject[string] | undefined): JsonObject {
  if (parameters === undefined) return {};
  return { action_parameters: isJsonObject(parameters) ? writeJson(parameters) : parameters };
}

function parseTap(section: JsonObject): JsonObject {
  const named = section['click_action_type'];
  if (named === undefined) return {};
  if (typeof named !== 'number' || !Number.isInteger(named) || named < 0 || named > 5)
    throw new SectionProblem('click_action_type: must be 0, 1, 2, 4 or 5');
  const type = vendorTap(named, section);
  const companion = COMPANIONS[type];
  if (companion !== undefined && !isText(section[companion]))
    throw new SectionProblem(`${companion}: is required by click_action_type ${named}`);
  if (type === WEB_PAGE && !/^https?:\/\//.test(String(section['click_action_url'])))
    throw new SectionProblem('click_action_url: must be an http:// or https:// address, 5 takes other schemes');
  return { click_action_type: type };
}

/**
 * The vendor has no type 3 (OPPO open platform, "Notification fields", page 11236), so a 3 is the place of "page by
 * activity" in a list of the five actions, and a 4 that has only a URL is the place of "scheme URL".
 */
function vendorTap(type: number, section: JsonObject): number {
  if (type === 3) return 4;
  if (type === 4 && isText(section['click_action_url']) && !isText(section['click_action_activity'])) return 5;
  return type;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
