/** Faults that a vendor tells in its own words: the channel's simulator writes the answer. */
export const VENDOR_FAULTS = ['http-5xx', 'throttled', 'token-expired', 'quota', 'garbage', 'partial'] as const;

/** What goes wrong with the connection, whatever the vendor says: the server does it. */
export const WIRE_FAULTS = ['slow', 'late', 'drip', 'huge', 'truncated', 'retry-after', 'reset'] as const;

/** `answer`: the vendor says what it is told to say. */
export const FAULT_KINDS = [...VENDOR_FAULTS, ...WIRE_FAULTS, 'answer'] as const;

export type VendorMisbehaviour = (typeof VENDOR_FAULTS)[number];
export type WireFault = (typeof WIRE_FAULTS)[number];
export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * The default of a fault's `delayMs`: the time before the answer, between two bytes of `drip`, or what
 * `retry-after` asks the client to wait.
 */
const DEFAULT_DELAY_MS: Partial<Record<FaultKind, number>> = {
  slow: 1_000,
  late: 60_000,
  drip: 1_000,
  'retry-after': 5_000,
};

export const defaultDelayMs = (kind: FaultKind): number => DEFAULT_DELAY_MS[kind] ?? 0;

const isOneOf = <T extends string>(kinds: readonly T[], kind: string): kind is T =>
  (kinds as readonly string[]).includes(kind);

export const isVendorFault = (kind: FaultKind): kind is VendorMisbehaviour => isOneOf(VENDOR_FAULTS, kind);
