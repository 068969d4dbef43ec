import { isGone, isMalformed } from './simulator';

/** The devices of one call, as the vendor finds them. */
export interface SortedDevices {
  readonly taken: readonly string[];
  readonly gone: readonly string[];
  readonly malformed: readonly string[];
  /** Known devices that a vendor in trouble leaves out: the fault `partial`. */
  readonly left: readonly string[];
}

/** Says which devices of a call a vendor takes. */
export class DeviceDesk {
  private isPartial = false;

  /** While it runs, every second of the known devices of a call is left out; a call for one device is not touched. */
  partly<T>(run: () => T): T {
    this.isPartial = true;
    try {
      return run();
    } finally {
      this.isPartial = false;
    }
  }

  sort(ids: readonly string[]): SortedDevices {
    const gone = ids.filter(isGone);
    const malformed = ids.filter(isMalformed);
    const isWhole = gone.length + malformed.length === 0;
    const known = isWhole ? ids : ids.filter((id) => !isGone(id) && !isMalformed(id));
    if (!this.isPartial) return { taken: known, gone, malformed, left: [] };
    const isTaken = (_: string, index: number): boolean => index % 2 === 0;
    return { taken: known.filter(isTaken), gone, malformed, left: known.filter((id, i) => !isTaken(id, i)) };
  }
}
