import { LIMITS, type PushWarning } from '@pushfleet/domain';

export interface CrowdedClients {
  /** Only some of the devices that have saved their id count. */
  readonly cut: readonly string[];
  /** None of them counts. */
  readonly crowded: readonly string[];
  /** Nobody has looked for theirs. */
  readonly unasked: readonly string[];
}

/** Client ids that a warning names. */
const NAMED = 5;

/** What the answer says of client ids that too many devices have saved among their channels. */
export const crowdWarnings = ({ cut, crowded, unasked }: CrowdedClients): readonly PushWarning[] => [
  ...warningOf(
    cut,
    `more than ${LIMITS.subscribedDevices.value} devices have the client id among their channels, and those that were saved last count`,
  ),
  ...warningOf(
    crowded,
    `more than ${LIMITS.subscribersLookedAt.value} devices have the client id among their channels, or had until lately, and none of them counts`,
  ),
  ...warningOf(
    unasked,
    `finding the devices that have the client ids among their channels takes more than ${LIMITS.subscriberLookUps.value} look-ups for all receivers together, and none of those of the clients with the most counts; send to fewer at once`,
  ),
];

function warningOf(clients: readonly string[], words: string): readonly PushWarning[] {
  if (clients.length === 0) return [];
  const others = clients.length > NAMED ? ` and ${clients.length - NAMED} more` : '';
  const names = clients.slice(0, NAMED).join(', ') + others;
  return [{ path: 'offline_clients', message: `${words}: ${names}` }];
}
