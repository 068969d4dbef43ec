import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  InvalidInput,
  LIMITS,
  parseDevicePush,
  parseNamedPush,
  parsePushRequest,
  type JsonObject,
  type PushRequest,
  type PushWarning,
  writeJson,
} from '@pushfleet/domain';
import { type AcceptedPush } from '@pushfleet/store';
import { objectOf, type Answer } from '@pushfleet/http-edge';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { type Preflight } from '../preflight/preflight';
import { type ColumnWarnings } from '../column-warnings';
import { type ProfileWarnings } from '../profile-warnings';
import { sectionParsers } from '../section-parsers';
import { type TakePush } from '../take-push';
import { wishOf } from './preflight';

const MAX_PUSH_BYTES = LIMITS.pushBytes.value;

export interface PushPorts {
  readonly takePush: TakePush;
  readonly preflight: Preflight;
  readonly profileWarnings: ProfileWarnings;
  readonly columnWarnings: ColumnWarnings;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly now: () => number;
}

/** A push to whom a condition, some channels or nothing names. */
export const pushEndpoint = (ports: PushPorts): ApiEndpoint => endpointTo(ports, openTake(ports, false), 'push');

/** The same push, planned and not sent. */
export const preflightEndpoint = (ports: PushPorts): ApiEndpoint =>
  endpointTo(ports, openTake(ports, true), 'preflight');

function endpointTo({ channels, now }: PushPorts, take: Take, route: ApiEndpoint['route']): ApiEndpoint {
  const sections = sectionParsers(channels);
  return {
    route,
    maxBodyBytes: MAX_PUSH_BYTES,
    countsAs: 'push',
    async handle(call) {
      const context = { now: now(), sections, prodHeader: call.prodHeader };
      return take(call, () => parsePushRequest(call.json(), context));
    },
  };
}

/** A push to addresses that the sender knows himself. */
export function devicePushEndpoint(ports: PushPorts): ApiEndpoint {
  const { channels, now } = ports;
  const take = openTake(ports, false);
  const sections = sectionParsers(channels);
  const vendors = new Map(Object.values(channels).map(({ vendor, name }) => [vendor, name]));
  return {
    route: 'push-devices',
    maxBodyBytes: LIMITS.devicePushBytes.value,
    countsAs: 'push',
    async handle(call) {
      const context = { now: now(), sections, vendors, prodHeader: call.prodHeader };
      return take(call, () => parseDevicePush(bodyBeside(call, ['device_ids']), context));
    },
  };
}

/** A push to installations that the sender names. */
export function namedPushEndpoint(ports: PushPorts): ApiEndpoint {
  const { channels, now } = ports;
  const take = openTake(ports, false);
  const sections = sectionParsers(channels);
  return {
    route: 'push-installations',
    maxBodyBytes: LIMITS.devicePushBytes.value,
    countsAs: 'push',
    async handle(call) {
      const context = { now: now(), sections, prodHeader: call.prodHeader };
      return take(call, () => parseNamedPush(bodyBeside(call, ['installation_ids', 'object_ids']), context));
    },
  };
}

/** A body that is no larger than a push beside its lists of devices. */
function bodyBeside(call: ApiCall, lists: readonly string[]): JsonObject {
  const body = objectOf(call.json());
  const message = Object.fromEntries(Object.entries(body).filter(([name]) => !lists.includes(name)));
  if (Buffer.byteLength(writeJson(message)) > MAX_PUSH_BYTES)
    throw new InvalidInput('too-large', `the body may have at most ${MAX_PUSH_BYTES} bytes beside ${lists.join(', ')}`);
  return body;
}

/** Takes the push that a call asks for, or tells what it would reach. */
type Take = (call: ApiCall, parse: () => PushRequest) => Promise<Answer>;

function openTake({ takePush, preflight, profileWarnings, columnWarnings }: PushPorts, isPreflight: boolean): Take {
  return async (call, parse) => {
    const { app, isMaster } = call.caller;
    const wish = wishOf(call, isPreflight);
    const request = parse();
    // First: what fails after the push is accepted would deny it. Which columns there are is nothing for the app key.
    const columns = isMaster ? await columnWarnings(app.id, request) : [];
    if (wish) return preflight.run(app, { ...request, warnings: [...request.warnings, ...columns] }, wish);
    const more = await profileWarnings(app, request.content);
    return answerOf(await takePush(call.caller, request), [...request.warnings, ...columns, ...more]);
  };
}

function answerOf({ pushId, createdAt }: AcceptedPush, warnings: readonly PushWarning[]): Answer {
  const told = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : '';
  return { status: 200, body: `{"objectId":"${pushId}","createdAt":"${new Date(createdAt).toISOString()}"${told}}` };
}
