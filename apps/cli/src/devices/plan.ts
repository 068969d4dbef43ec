/** What the devices of a run have in common. */
export interface DevicePlan {
  /** Without trailing slash. */
  readonly ingressUrl: string;
  /** Instead of what the route names. */
  readonly gatewayUrl?: string | undefined;
  readonly appId: string;
  readonly appKey: string;
  /** Part of every installationId: the same prefix means the same devices. */
  readonly prefix: string;
  readonly isRegistering: boolean;
  /** Share of the devices that acknowledge what they get. */
  readonly ackShare: number;
  /** Mean time until a device drops its connection; undefined = never. */
  readonly dropEveryMs: number | undefined;
  readonly heartbeatMs: number;
  /** Devices of all processes together. */
  readonly count: number;
}

/** The devices of one process. */
export interface Share {
  readonly first: number;
  readonly count: number;
}

/** Splits the devices over processes, evenly. */
export function sharesOf(count: number, processes: number): readonly Share[] {
  const start = (n: number): number => Math.floor((count * n) / processes);
  return Array.from({ length: processes }, (_, n) => ({ first: start(n), count: start(n + 1) - start(n) })).filter(
    (share) => share.count > 0,
  );
}

/** Of every stretch of devices the same share acknowledges, and of all of them exactly `floor(count * share)`. */
export const isAcknowledging = (index: number, share: number): boolean =>
  Math.floor((index + 1) * share) > Math.floor(index * share);
