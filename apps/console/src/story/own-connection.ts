import { hasMailbox, type JsonObject } from '@pushfleet/domain';
import type { ConsolePorts } from '../ports';

export interface OwnConnection {
  readonly gateway: JsonObject;
  readonly mailbox: JsonObject;
  /** Pushes whose messages wait for the device, the oldest first. */
  readonly heldPushes: readonly string[];
}

const NOBODY: OwnConnection = {
  gateway: { isConnected: false },
  mailbox: { messages: 0 },
  heldPushes: [],
};

/** What the own channel knows of a device, whichever channel it is reached by now. */
export async function ownConnection(
  { store: { presence, gateways, mailboxes } }: Pick<ConsolePorts, 'store'>,
  app: string,
  installationId: string | undefined,
): Promise<OwnConnection> {
  if (!hasMailbox(installationId)) return NOBODY;
  const [place, living, held] = await Promise.all([
    presence.of(app, installationId),
    gateways.living(),
    mailboxes.held(app, installationId),
  ]);
  const node = living.find(({ id }) => id === place?.node);
  const [oldest] = held;
  return {
    gateway: node ? { isConnected: true, ...node } : { isConnected: false },
    mailbox: {
      messages: held.length,
      ...(oldest ? { oldestAt: new Date(oldest.storedAt).toISOString() } : {}),
    },
    heldPushes: held.map(({ pushId }) => pushId),
  };
}
