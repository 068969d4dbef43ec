/** What became of one message. */
export interface MessageTally {
  /** Devices that got it, each counted once. */
  received: number;
  /** Devices that sent an acknowledgement, each counted once. */
  acked: number;
}

/** What the devices of a run have done so far. */
export interface Tally {
  registered: number;
  /** Logged in at the moment. */
  connected: number;
  /** Messages, each counted once for a device. */
  received: number;
  acked: number;
  /** Messages that a device had already got. */
  duplicates: number;
  /** Logins after the first one of a device. */
  reconnects: number;
  /** Connections, routes and registrations that did not come about, and will be tried again. */
  failures: number;
}

export type Messages = Readonly<Record<string, Readonly<MessageTally>>>;

export const newTally = (): Tally => ({
  registered: 0,
  connected: 0,
  received: 0,
  acked: 0,
  duplicates: 0,
  reconnects: 0,
  failures: 0,
});

/** Processes count for themselves; together they are one run. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = newTally();
  for (const tally of tallies) {
    for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name];
  }
  return sum;
}

export function mergeMessages(parts: readonly Messages[]): Messages {
  const merged: Record<string, MessageTally> = {};
  for (const [id, { received, acked }] of parts.flatMap((part) => Object.entries(part))) {
    const message = (merged[id] ??= { received: 0, acked: 0 });
    message.received += received;
    message.acked += acked;
  }
  return merged;
}

const NAMES = ['connected', 'received', 'acked', 'duplicates', 'reconnects', 'failures'] as const;

export const tallyLine = (tally: Tally): string => NAMES.map((name) => `${name} ${tally[name]}`).join('  ');
