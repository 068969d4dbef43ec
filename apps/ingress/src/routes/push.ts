import { SectionProblem, type VendorChannel } from '@pushfleet/channel-kit';
import {
  InvalidInput,
  LIMITS,
  parseDevicePush,
  parsePushRequest,
  type PushRequest,
  type PushRequestContext,
  type PushWarning,
  writeJson,
} from '@pushfleet/domain';
import { type AcceptedPush } from '@pushfleet/store';
import { objectOf, type Answer } from '@pushfleet/http-edge';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { type Preflight } from '../preflight/preflight';
import { type ProfileWarnings } from '../profile-warnings';
import { type TakePush } from '../take-push';
import { wishOf } from './preflight';

const MAX_PUSH_BYTES = LIMITS.pushBytes.value;

export interface PushPorts {
  readonly takePush: TakePush;
  readonly preflight: Preflight;
  readonly profileWarnings: ProfileWarnings;
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
      return take(call, () => parseDevicePush(messageOf(call), context));
    },
  };
}

function messageOf(call: ApiCall) {
  const body = objectOf(call.json());
  const { device_ids: ids, ...message } = body;
  if (Buffer.byteLength(writeJson(message)) > MAX_PUSH_BYTES)
    throw new InvalidInput('too-large', `the body may have at most ${MAX_PUSH_BYTES} bytes beside device_ids`);
  return body;
}

function sectionParsers(channels: Readonly<Record<string, VendorChannel>>): PushRequestContext['sections'] {
  return Object.fromEntries(Object.values(channels).map((channel) => [channel.name, sectionParser(channel)]));
}

/** Channels name the field; only the request tells where its section stood. */
function sectionParser({ parseSection }: VendorChannel): PushRequestContext['sections'][string] {
  return (section, path) => {
    try {
      return parseSection(section);
    } catch (error) {
      throw error instanceof SectionProblem ? new SectionProblem(`${path}.${error.message}`, { cause: error }) : error;
    }
  };
}

/** Takes the push that a call asks for, or tells what it would reach. */
type Take = (call: ApiCall, parse: () => PushRequest) => Promise<Answer>;

function openTake({ takePush, preflight, profileWarnings }: PushPorts, isPreflight: boolean): Take {
  return async (call, parse) => {
    const { app } = call.caller;
    const wish = wishOf(call, isPreflight);
    const request = parse();
    if (wish) return preflight.run(app, request, wish);
    // First: what fails after the push is accepted would deny it.
    const more = await profileWarnings(app, request.content);
    return answerOf(await takePush(app, request), [...request.warnings, ...more]);
  };
}

function answerOf({ pushId, createdAt }: AcceptedPush, warnings: readonly PushWarning[]): Answer {
  const told = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : '';
  return { status: 200, body: `{"objectId":"${pushId}","createdAt":"${new Date(createdAt).toISOString()}"${told}}` };
}
