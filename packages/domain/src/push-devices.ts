import type { Audience } from './audience';
import { checked } from './checked';
import type { JsonObject } from './json';
import { OWN_SECTION } from './message';
import { OTHER_SECTIONS, parseContent } from './push-content';
import { devicePushBodySchema, pushBodySchema } from './push-fields';
import { misplacedKeys } from './misplaced-keys';
import { contentWarnings, type PushWarning } from './push-warnings';
import {
  longLife,
  parseSending,
  pushBodyOf,
  sectionsOf,
  withoutZone,
  type PushRequest,
  type PushRequestContext,
} from './push-request';
import { bucketOf, OWN_CHANNEL, vendorOf } from './route';
import { unreadKeys } from './unread-keys';

const fieldsSchema = devicePushBodySchema.omit({ data: true });

const PARAMETERS: ReadonlySet<string> = new Set([
  ...Object.keys(devicePushBodySchema.shape),
  OWN_SECTION,
  ...OTHER_SECTIONS,
]);

/** What every push reads beside the data alone; names of devices may well be attributes. */
const BESIDE_DATA = ['expiration_time', 'expiration_interval', 'notification_id', 'req_id', 'over_budget'];

/** Parameters of `POST /1.1/push` that have no meaning for addresses. */
const READ_ELSEWHERE: ReadonlyMap<string, string> = new Map(
  Object.keys(pushBodySchema.shape).map((name) => [
    name,
    'is not read here: the push goes to the named devices, at once',
  ]),
);

/**
 * Parses the body of `POST /1.1/push/devices`: a push to addresses that the sender knows himself. Throws `InvalidInput`
 * naming the field.
 */
export function parseDevicePush(input: unknown, context: PushRequestContext): PushRequest {
  const body = pushBodyOf(input);
  const fields = checked(fieldsSchema, body);
  const { device_type: deviceType, vendor, device_profile: deviceProfile } = fields;
  /** What the devices have in common, as an installation would say it. */
  const where: JsonObject = {
    deviceType,
    ...(vendor === undefined ? {} : { vendor }),
    ...(deviceProfile === undefined ? {} : { deviceProfile }),
  };
  const channel = fields._notificationChannel ?? fields.channel;
  const named: JsonObject = channel === undefined ? body : { ...body, _notificationChannel: channel };
  const content = parseContent(named, context.sections);
  return {
    content,
    warnings: [
      ...unreadKeys(body, { known: PARAMETERS, sections: context.sections, elsewhere: READ_ELSEWHERE }),
      ...misplacedKeys({ body, data: content.data, parameters: BESIDE_DATA, sections: sectionsOf(context) }),
      ...contentWarnings(content),
      ...withoutZone('expiration_time', fields.expiration_time),
      ...longLife(fields, context.now),
      ...unknownVendor(where, context.vendors),
    ],
    audience: audienceFor(where, [...new Set(fields.device_ids)], context.vendors),
    where,
    isToDevices: true,
    ...parseSending(fields, { ...context, from: context.now }),
  };
}

/** Names of vendors have capitals of their own: whoever spells one otherwise reaches nobody. */
function unknownVendor(where: JsonObject, vendors: ReadonlyMap<string, string>): readonly PushWarning[] {
  const vendor = vendorOf(where);
  if (vendor === undefined || vendors.has(vendor)) return [];
  const known = [...vendors.keys()].join(', ');
  return [
    { path: 'vendor', message: `is none of ${known}: there is no channel for it, and all devices are discarded` },
  ];
}

function audienceFor(device: JsonObject, ids: readonly string[], vendors: ReadonlyMap<string, string>): Audience {
  const bucket = bucketOf({ ...device, registrationId: ids[0] ?? '' }, vendors, false) ?? OWN_CHANNEL;
  if (bucket === OWN_CHANNEL) return { addressed: { field: 'installationId', values: ids } };
  return { devices: { bucket, registrationIds: ids } };
}
