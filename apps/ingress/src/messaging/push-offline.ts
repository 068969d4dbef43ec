import {
  type App,
  type ChannelTraits,
  DAY_MS,
  fatesOf,
  type OfflineMessage,
  offlinePushOf,
  type OfflinePush,
  type PushWarning,
  type SectionParsers,
} from '@pushfleet/domain';
import { type DirectPlan, type NamedDevice, type NewPush, planDirect, type Store } from '@pushfleet/store';
import { type AcceptPush } from '../accept-pushes';
import { accountOf } from '../http/lanes';
import { NAMED_COST } from '../push-cost';
import { isWhole } from '../plan-at-once';
import { devicesOfClients, type FoundDevices, type ReceiverPorts } from './receivers';

export interface PushOfflinePorts extends ReceiverPorts {
  readonly mutes: Pick<Store['messaging']['mutes'], 'among'>;
  readonly answers: Store['messaging']['answers'];
  readonly profiles: Pick<Store['profiles'], 'names'>;
  readonly traits: ReadonlyMap<string, ChannelTraits>;
  readonly sections: SectionParsers;
  readonly acceptPush: AcceptPush;
  readonly now: () => number;
  /** How long the record of such a push is kept once it is done. */
  readonly keepMs: number;
}

/** The receivers of an offline message, each counted once. */
export interface PushedOffline {
  /** Of the push; absent when nothing was pushed. */
  readonly objectId?: string;
  readonly pushed: number;
  readonly muted: number;
  /** Without a device that a push can go to. */
  readonly unreachable: number;
  /** Neither the message nor the app says what to push. */
  readonly withoutText: number;
  readonly warnings?: readonly PushWarning[];
}

/** LeanCloud instant messaging guide, "offline pushes": they are worthless after seven days. */
const LIFE_MS = 7 * DAY_MS;

interface Asked {
  readonly conversation: string;
  readonly message: OfflineMessage;
}

/**
 * Pushes a message to those of its receivers who have not muted the conversation, on every device that they have. Whoever
 * repeats a req_id gets the first answer: receivers counted anew would be told as pushed to, although nothing goes out.
 */
export async function pushOffline(ports: PushOfflinePorts, app: App, asked: Asked): Promise<PushedOffline> {
  const { answers, sections, now } = ports;
  const { conversation, message } = asked;
  const said = offlinePushOf(message, { conversation, fallback: app.offlinePush, sections, now: now() });
  const { reqId } = message;
  if (reqId === undefined) return pushToReceivers(ports, { app, said }, asked);
  const to = { app: app.id, reqId };
  const answer =
    (await answers.first(to)) ??
    (await answers.keep(to, JSON.stringify(await pushToReceivers(ports, { app, said }, asked))));
  return JSON.parse(answer) as PushedOffline;
}

async function pushToReceivers(
  ports: PushOfflinePorts,
  { app, said }: { readonly app: App; readonly said: OfflinePush | undefined },
  { conversation, message }: Asked,
): Promise<PushedOffline> {
  const { receivers, isForced } = message;
  const quiet = isForced ? new Set<string>() : await ports.mutes.among(app.id, conversation, receivers);
  const wanted = receivers.filter((client) => !quiet.has(client));
  const counts = { pushed: 0, muted: quiet.size, unreachable: 0, withoutText: 0 };
  if (!said) return { ...counts, withoutText: wanted.length };
  const reach = await reachOf(ports, { app, said }, wanted);
  const answer = { ...counts, pushed: reach.clients, unreachable: wanted.length - reach.clients };
  const warnings = reach.warnings.length > 0 ? { warnings: reach.warnings } : {};
  if (reach.clients === 0) return { ...answer, ...warnings };
  const objectId = await send(ports, { app, said, reqId: message.reqId }, reach);
  return { objectId, ...answer, ...warnings };
}

interface Said {
  readonly app: App;
  readonly said: OfflinePush;
}

interface Reach {
  /** Those who have a device that nothing speaks against. */
  readonly clients: number;
  /** Theirs and those of the others, each once: the record tells why a device gets nothing. */
  readonly devices: readonly NamedDevice[];
  readonly plan: DirectPlan;
  readonly warnings: readonly PushWarning[];
}

async function reachOf(ports: PushOfflinePorts, { app, said }: Said, clients: readonly string[]): Promise<Reach> {
  const { devices: found, warnings }: FoundDevices = await devicesOfClients(ports, app, clients);
  const rules = { hybrid: app.hybrid, profiles: await ports.profiles.names(app.id), channels: ports.traits };
  const fateOf = fatesOf(rules, said.content);
  const isSendable = ({ bucket }: NamedDevice): boolean => !('discard' in fateOf(bucket));
  const all = [...found.values()];
  const devices = [...new Map(all.flat().map((device) => [device.installation.objectId, device])).values()];
  return {
    clients: all.filter((theirs) => theirs.some(isSendable)).length,
    devices,
    plan: planDirect(fateOf, devices),
    warnings,
  };
}

/** Where a rule refuses a device, and for a message that may be a repeated one, a dispatcher plans. */
async function send(
  { acceptPush, now, keepMs }: PushOfflinePorts,
  { app, said, reqId }: Said & { readonly reqId: string | undefined },
  { devices, plan }: Reach,
): Promise<string> {
  const values = devices.map(({ installation }) => installation.objectId);
  const pushTime = now();
  const push: NewPush = {
    app: app.id,
    ...said,
    audience: { addressed: { field: 'objectId', values } },
    where: { objectId: { $in: values } },
    pushTime,
    expiresAt: pushTime + LIFE_MS,
    isScheduled: false,
    reqId,
    service: 'rtm',
    keepMs,
    ...(isWhole(plan) && reqId === undefined ? { plan } : {}),
  };
  const { pushId } = await acceptPush(push, { account: accountOf({ app, isMaster: true }), cost: NAMED_COST });
  return pushId;
}
