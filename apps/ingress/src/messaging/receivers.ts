import { type App, channelsOf, LIMITS, overLimit, type Installation, type RouteBucket } from '@pushfleet/domain';
import { type Store } from '@pushfleet/store';

export interface ReceiverPorts {
  readonly bindings: Store['messaging']['bindings'];
  readonly installations: {
    addressed: Store['installations']['addressed'];
    readonly channels: Pick<Store['installations']['channels'], 'subscribersOf'>;
  };
}

/** A valid installation of a receiver. */
export interface ReceiverDevice {
  readonly installation: Installation;
  readonly bucket: RouteBucket;
}

/** The devices of the clients that have one or more. */
export type DevicesOfClients = ReadonlyMap<string, readonly ReceiverDevice[]>;

const MAX_SUBSCRIBED = LIMITS.offlineMessageDevices.value;

/**
 * The devices of some clients: those that the chat server bound to them and, where the app counts the channels of devices,
 * those that have saved the client id among theirs. The number of reads is bounded by the shards, not by the clients.
 */
export async function devicesOfClients(
  ports: ReceiverPorts,
  app: App,
  clients: readonly string[],
): Promise<DevicesOfClients> {
  const [bound, subscribed] = await Promise.all([
    boundDevices(ports, app.id, clients),
    app.chatByChannel ? subscribedDevices(ports, app.id, clients) : NOBODY,
  ]);
  return new Map(
    clients.flatMap((client) => {
      const found = [...(bound.get(client) ?? []), ...(subscribed.get(client) ?? [])];
      const devices = new Map(found.map((device) => [device.installation.objectId, device]));
      return devices.size > 0 ? [[client, [...devices.values()]] as const] : [];
    }),
  );
}

const NOBODY: DevicesOfClients = new Map();

async function boundDevices(
  { bindings, installations }: ReceiverPorts,
  app: string,
  clients: readonly string[],
): Promise<DevicesOfClients> {
  const idsOf = await bindings.of(app, clients);
  const values = [...new Set([...idsOf.values()].flat())];
  if (values.length === 0) return NOBODY;
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

async function subscribedDevices(
  { installations }: ReceiverPorts,
  app: string,
  clients: readonly string[],
): Promise<DevicesOfClients> {
  const found = await installations.channels.subscribersOf(app, clients, MAX_SUBSCRIBED);
  if (!found) throw overLimit('offlineMessageDevices', 'offline_clients: may be the channels of');
  const asked = new Set(clients);
  const byClient = new Map<string, ReceiverDevice[]>();
  for (const device of found) {
    for (const channel of channelsOf(device.installation)) {
      if (!asked.has(channel)) continue;
      const devices = byClient.get(channel);
      if (devices) devices.push(device);
      else byClient.set(channel, [device]);
    }
  }
  return byClient;
}
