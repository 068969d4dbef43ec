import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  InvalidInput,
  isJsonObject,
  type Json,
  LIMITS,
  parseDevicePush,
  parseNamedPush,
  parsePushRequest,
  type JsonObject,
  type PushRequest,
  type PushWarning,
  type SectionParsers,
  writeJson,
} from '@pushfleet/domain';
import { type AcceptedPush } from '@pushfleet/store';
import { objectOf, type Answer } from '@pushfleet/http-edge';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { requireRightToAsk } from '../http/rights';
import { type Preflight } from '../preflight/preflight';
import { type ColumnWarnings } from '../column-warnings';
import { type ProfileWarnings } from '../profile-warnings';
import { type TakePush } from '../take-push';
import { wishOf } from './preflight';

const MAX_PUSH_BYTES = LIMITS.pushBytes.value;

/** A long list takes as much of Redis as many pushes: by the app key, it counts as so many (docs/adr/0064). */
function callsOfList(body: Json): number {
  const listed = isJsonObject(body) ? (body['device_ids'] ?? []) : [];
  return Math.max(1, Math.ceil(Buffer.byteLength(writeJson(listed)) / MAX_PUSH_BYTES));
}

export interface PushPorts {
  readonly takePush: TakePush;
  readonly preflight: Preflight;
  readonly profileWarnings: ProfileWarnings;
  readonly columnWarnings: ColumnWarnings;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly sections: SectionParsers;
  readonly now: () => number;
}

export interface PushEndpoints {
  /** A push to whom a condition, some channels or nothing names. */
  readonly push: ApiEndpoint;
  /** The same push, planned and not sent. */
  readonly preflight: ApiEndpoint;
  /** A push to addresses that the sender knows himself. */
  readonly devices: ApiEndpoint;
  /** A push to installations that the sender names. */
  readonly installations: ApiEndpoint;
}

export function pushEndpoints(ports: PushPorts): PushEndpoints {
  const { channels, sections, now } = ports;
  const vendors = new Map(Object.values(channels).map(({ vendor, name }) => [vendor, name]));
  const contextOf = ({ prodHeader }: ApiCall) => ({ now: now(), sections, vendors, prodHeader });
  const take = openTake(ports, false);
  const toAny: Omit<PushForm, 'route'> = {
    maxBodyBytes: MAX_PUSH_BYTES,
    parse: (call) => parsePushRequest(call.json(), contextOf(call)),
  };
  const maxBodyBytes = LIMITS.devicePushBytes.value;
  return {
    push: endpointTo(take, { route: 'push', ...toAny }),
    preflight: endpointTo(openTake(ports, true), { route: 'preflight', ...toAny }),
    devices: endpointTo(take, {
      route: 'push-devices',
      maxBodyBytes,
      callsOf: callsOfList,
      parse: (call) => parseDevicePush(bodyBeside(call, ['device_ids']), contextOf(call)),
    }),
    installations: endpointTo(take, {
      route: 'push-installations',
      maxBodyBytes,
      parse: (call) => parseNamedPush(bodyBeside(call, ['installation_ids', 'object_ids']), contextOf(call)),
    }),
  };
}

interface PushForm extends Required<Pick<ApiEndpoint, 'route' | 'maxBodyBytes'>>, Pick<ApiEndpoint, 'callsOf'> {
  parse(call: ApiCall): PushRequest;
}

const endpointTo = (take: Take, { parse, ...settings }: PushForm): ApiEndpoint => ({
  ...settings,
  countsAs: 'push',
  // Whose content a repeated name stands for is told by the first of them.
  changes: (_, body) => (isJsonObject(body) && typeof body['req_id'] === 'string' ? [`req_id ${body['req_id']}`] : []),
  handle: (call) => take(call, parse),
});

/** A body that is no larger than a push beside its lists of devices. */
function bodyBeside(call: ApiCall, lists: readonly string[]): JsonObject {
  const body = objectOf(call.json());
  const message = Object.fromEntries(Object.entries(body).filter(([name]) => !lists.includes(name)));
  if (Buffer.byteLength(writeJson(message)) > MAX_PUSH_BYTES)
    throw new InvalidInput('too-large', `the body may have at most ${MAX_PUSH_BYTES} bytes beside ${lists.join(', ')}`);
  return body;
}

/** Takes the push that a call asks for, or tells what it would reach. */
type Take = (call: ApiCall, parse: PushForm['parse']) => Promise<Answer>;

function openTake({ takePush, preflight, profileWarnings, columnWarnings }: PushPorts, isPreflight: boolean): Take {
  return async (call, parse) => {
    const { app, isMaster } = call.caller;
    const wish = wishOf(call, isPreflight);
    const request = parse(call);
    requireRightToAsk(call.caller, request.where);
    // First: what fails after the push is accepted would deny it. Which columns there are is nothing for the app key.
    const columns = isMaster ? await columnWarnings(app.id, request) : [];
    if (wish) return preflight.run(app, { ...request, warnings: [...request.warnings, ...columns] }, wish);
    const more = await profileWarnings(app, request);
    return answerOf(await takePush(call.caller, request), [...request.warnings, ...columns, ...more]);
  };
}

/** It is the first answer all the same: a repeat that was under way brings back nothing that was cancelled. */
const CANCELLED: PushWarning = {
  path: 'req_id',
  message: 'names a push that was cancelled: nothing is sent; another req_id makes a new push',
};

function answerOf({ pushId, createdAt, isCancelled }: AcceptedPush, warnings: readonly PushWarning[]): Answer {
  const all = isCancelled ? [CANCELLED, ...warnings] : warnings;
  const told = all.length > 0 ? `,"warnings":${JSON.stringify(all)}` : '';
  return { status: 200, body: `{"objectId":"${pushId}","createdAt":"${new Date(createdAt).toISOString()}"${told}}` };
}
