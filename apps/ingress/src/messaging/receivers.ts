import { type App, LIMITS, type PushWarning } from '@pushfleet/domain';
import { type NamedDevice, type Store } from '@pushfleet/store';
import { Refusal } from '../http/problem';
import { crowdWarnings } from './crowd-warnings';

export interface ReceiverPorts {
  readonly bindings: Store['messaging']['bindings'];
  readonly installations: {
    addressed: Store['installations']['addressed'];
    readonly channels: Pick<Store['installations']['channels'], 'subscribersOfEach'>;
  };
}

/** The devices of the clients that have one or more. */
type DevicesOfClients = ReadonlyMap<string, readonly NamedDevice[]>;

export interface FoundDevices {
  readonly devices: DevicesOfClients;
  /** Of clients whose id more devices have saved than count. */
  readonly warnings: readonly PushWarning[];
}

const NOTHING: FoundDevices = { devices: new Map(), warnings: [] };

/**
 * The devices of some clients: those that the chat server bound to them and, where the app counts the channels of devices,
 * those that have saved the client id among theirs. The number of reads is bounded by the shards, not by the clients.
 */
export async function devicesOfClients(
  ports: ReceiverPorts,
  app: App,
  clients: readonly string[],
): Promise<FoundDevices> {
  const [bound, { devices: subscribed, warnings }] = await Promise.all([
    boundDevices(ports, app.id, clients),
    app.chatByChannel ? subscribedDevices(ports, app.id, clients) : NOTHING,
  ]);
  const devices = clients.flatMap((client) => {
    const found = [...(bound.get(client) ?? []), ...(subscribed.get(client) ?? [])];
    const byId = new Map(found.map((device) => [device.installation.objectId, device]));
    return byId.size > 0 ? [[client, [...byId.values()]] as const] : [];
  });
  return { devices: new Map(devices), warnings };
}

async function boundDevices(
  { bindings, installations }: ReceiverPorts,
  app: string,
  clients: readonly string[],
): Promise<DevicesOfClients> {
  const idsOf = await bindings.of(app, clients);
  const values = [...new Set([...idsOf.values()].flat())];
  if (values.length === 0) return new Map();
  const found = await installations.addressed(app, { field: 'installationId', values });
  const byId = new Map(found.map((device) => [device.installation.installationId, device]));
  return new Map(
    Array.from(idsOf, ([client, ids]) => [
      client,
      ids.flatMap((id) => {
        const device = byId.get(id);
        return device ? [device] : [];
      }),
    ]),
  );
}

const MOST = LIMITS.subscribedDevices.value;
/** A check of the index takes minutes. */
const UNINDEXED_RETRY_SECONDS = 60;

/** Whoever has the app may save any channel: how many devices do it for one client is bounded, and one client crowds out no other. */
async function subscribedDevices(
  { installations }: ReceiverPorts,
  app: string,
  clients: readonly string[],
): Promise<FoundDevices> {
  const found = await installations.channels.subscribersOfEach(app, clients);
  if (!found) throw unindexed();
  const cut = clients.filter((client) => (found.of.get(client)?.length ?? 0) > MOST);
  const those = (of: ReadonlySet<string>): readonly string[] => clients.filter((client) => of.has(client));
  return {
    devices: new Map(Array.from(found.of, ([client, devices]) => [client, devices.slice(0, MOST)])),
    warnings: crowdWarnings({ cut, crowded: those(found.crowded), unasked: those(found.unasked) }),
  };
}

const unindexed = (): Refusal =>
  new Refusal(
    'unavailable',
    `offline_clients: the index of the channels of devices is being checked; until it is whole, at most ${LIMITS.offlineClientsUnindexed.value} client ids. Nothing was pushed.`,
    UNINDEXED_RETRY_SECONDS,
  );
