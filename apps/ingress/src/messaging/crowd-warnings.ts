import { LIMITS, type PushWarning } from '@pushfleet/domain';

export interface CrowdedClients {
  /** Only some of the devices that have saved their id count. */
  readonly cut: readonly string[];
  /** None of them counts. */
  readonly crowded: readonly string[];
}

/** Client ids that a warning names. */
const NAMED = 5;

/** What the answer says of client ids that too many devices have saved among their channels. */
export const crowdWarnings = ({ cut, crowded }: CrowdedClients): readonly PushWarning[] => [
  ...warningOf(cut, LIMITS.subscribedDevices.value, 'those that were saved last count'),
  ...warningOf(crowded, LIMITS.subscribersLookedAt.value, 'none of them counts'),
];

function warningOf(clients: readonly string[], most: number, outcome: string): readonly PushWarning[] {
  if (clients.length === 0) return [];
  const others = clients.length > NAMED ? ` and ${clients.length - NAMED} more` : '';
  const names = clients.slice(0, NAMED).join(', ') + others;
  return [
    {
      path: 'offline_clients',
      message: `more than ${most} devices have the client id among their channels, and ${outcome}: ${names}`,
    },
  ];
}
