import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  DEFAULT_PROFILE,
  InvalidInput,
  parsePushRequest,
  type App,
  type PushRequest,
  type PushRequestContext,
} from '@pushfleet/domain';
import { type NewPush, type ProfileStore } from '@pushfleet/store';
import { type AcceptPush } from '../accept-pushes';
import { jsonAnswer } from '../http/answer';
import { type Authenticate, type Caller } from '../http/authenticate';
import { type Endpoint } from '../http/endpoint';
import { Refusal } from '../http/problem';
import { parseJson } from '../http/read-body';

/** LeanCloud push REST guide: what the vendors take as one message. */
const MAX_PUSH_BYTES = 4096;

export interface PushPorts {
  readonly authenticate: Authenticate;
  readonly acceptPush: AcceptPush;
  readonly profiles: Pick<ProfileStore, 'names'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly now: () => number;
}

export function pushEndpoint({ authenticate, acceptPush, profiles, channels, now }: PushPorts): Endpoint {
  const sections = sectionParsers(channels);
  return {
    route: 'push',
    maxBodyBytes: MAX_PUSH_BYTES,
    async handle(req, body) {
      const caller = await authenticate(req.headers);
      requirePushRight(caller);
      const receivedAt = now();
      const prodHeader = req.get('x-lc-prod');
      const request = parsePushRequest(parseJson(body), { now: receivedAt, sections, prodHeader });
      if (caller.app.hybrid) requireProfile(await profiles.names(caller.app.id));
      const { pushId, createdAt } = await acceptPush(newPush(caller.app, request, receivedAt));
      return jsonAnswer(200, { objectId: pushId, createdAt: new Date(createdAt).toISOString() });
    },
  };
}

function sectionParsers(channels: Readonly<Record<string, VendorChannel>>): PushRequestContext['sections'] {
  return Object.fromEntries(Object.values(channels).map((channel) => [channel.name, channel.parseSection]));
}

function requirePushRight({ app, isMaster }: Caller): void {
  if (!isMaster && !app.clientPush) throw new Refusal('not-for-clients', 'This app may push with its master key only.');
}

function requireProfile(names: ReadonlySet<string>): void {
  for (const name of names) if (name.endsWith(`/${DEFAULT_PROFILE}`)) return;
  throw new InvalidInput('misconfigured', `Hybrid push is on, but no vendor has a profile named ${DEFAULT_PROFILE}.`);
}

function newPush(app: App, request: PushRequest, now: number): NewPush {
  const { pushTime = now, expiresAt = pushTime + app.limits.pushLifetimeMs } = request;
  return { ...request, app: app.id, pushTime, expiresAt, isScheduled: pushTime > now };
}
