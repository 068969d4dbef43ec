import type { Audience } from './audience';
import { isRegistrationId } from './installation';
import { InvalidInput } from './invalid-input';
import type { Json, JsonObject } from './json';
import { isProfileName, profileOf } from './profile';
import { parseContent } from './push-content';
import { parseSending, withoutNulls, type PushRequest, type PushRequestContext } from './push-request';
import { bucketOf, OWN_CHANNEL } from './route';

export interface DevicePushContext extends PushRequestContext {
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
}

/** LeanCloud push REST guide: devices of one call. */
const MAX_DEVICES = 500;

/**
 * Parses the body of `POST /1.1/push/devices`: a push to addresses that the sender knows himself. Throws `InvalidInput`
 * naming the field.
 */
export function parseDevicePush(input: unknown, context: DevicePushContext): PushRequest {
  const body = withoutNulls(input);
  const ids = parseIds(body['device_ids']);
  const where = parseDevice(body);
  const channel = body['_notificationChannel'] ?? body['channel'];
  const named: JsonObject = channel === undefined ? body : { ...body, _notificationChannel: channel };
  return {
    content: parseContent(named, context.sections),
    audience: audienceFor(where, ids, context.vendors),
    where,
    ...parseSending(body, { ...context, from: context.now }),
  };
}

function parseIds(value: Json | undefined): readonly string[] {
  if (value === undefined) throw new InvalidInput('required-field', 'device_ids: is required');
  if (!Array.isArray(value)) throw new InvalidInput('wrong-type', 'device_ids: must be an array of strings');
  const ids = value as readonly Json[];
  if (ids.length > MAX_DEVICES) throw new InvalidInput('threshold', `device_ids: at most ${MAX_DEVICES}`);
  if (ids.length === 0) throw new InvalidInput('required-field', 'device_ids: names nobody');
  const isRight = (id: Json): id is string => typeof id === 'string' && id !== '' && isRegistrationId(id);
  if (!ids.every(isRight))
    throw new InvalidInput('wrong-type', 'device_ids: strings of at most 512 bytes without commas and white space');
  return [...new Set(ids)];
}

/** What the devices have in common, as an installation would say it. */
function parseDevice({ device_type: deviceType, vendor, device_profile: deviceProfile }: JsonObject): JsonObject {
  if (deviceType === undefined) throw new InvalidInput('required-field', 'device_type: is required');
  if (deviceType !== 'android' && deviceType !== 'ios')
    throw new InvalidInput('wrong-type', 'device_type: must be "android" or "ios"');
  if (!isAbsentOrText(vendor)) throw new InvalidInput('wrong-type', 'vendor: must be a string');
  if (!isAbsentOrText(deviceProfile) || !isProfileName(profileOf(deviceProfile)))
    throw new InvalidInput('wrong-type', 'device_profile: a letter, then letters, digits and underscores');
  const given: Readonly<Record<string, Json | undefined>> = { deviceType, vendor, deviceProfile };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const isAbsentOrText = (value: Json | undefined): boolean => value === undefined || typeof value === 'string';

function audienceFor(device: JsonObject, ids: readonly string[], vendors: ReadonlyMap<string, string>): Audience {
  const bucket = bucketOf({ ...device, registrationId: ids[0] ?? '' }, vendors, false) ?? OWN_CHANNEL;
  if (bucket === OWN_CHANNEL) return { addressed: { field: 'installationId', values: ids } };
  return { devices: { bucket, registrationIds: ids } };
}
