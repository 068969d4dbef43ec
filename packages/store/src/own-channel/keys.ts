import { APP, families, type KeyFamily } from '../kit/key-family';
import { shardOf } from '../kit/shards';

export function ownChannelKeys(namespace: string) {
  /** What every gateway needs of an installation in one step: its mailbox and where it is connected. */
  const shardKey = (app: string, installationId: string): string =>
    `${namespace}:o:{${app}:${shardOf(installationId)}}`;
  return {
    mailbox: (app: string, installationId: string): string => `${shardKey(app, installationId)}:m:${installationId}`,
    presence: (app: string, installationId: string): string => `${shardKey(app, installationId)}:p:${installationId}`,
    gateways: (): string => `${namespace}:gateways`,
    hints(node: string): { channel: string; sequence: string } {
      const prefix = `${namespace}:gw:{gw:${node}}`;
      return { channel: `${prefix}:hints`, sequence: `${prefix}:sequence` };
    },
  };
}

export type OwnChannelKeys = ReturnType<typeof ownChannelKeys>;

export const OWN_CHANNEL_KEYS: readonly KeyFamily[] = [
  ...families('app', 'installations', {
    mailboxes: `o:\\{${APP}:\\d+\\}:m:.*`,
    presence: `o:\\{${APP}:\\d+\\}:p:.*`,
  }),
  ...families('fleet', 'stays', { gateways: 'gateways', 'hints of gateways': 'gw:\\{gw:[^}]+\\}:sequence' }),
];
