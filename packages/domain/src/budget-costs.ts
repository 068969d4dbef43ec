import type { Budget } from './profile';

/** What devices take of one of the rates that they must keep to. */
export interface BudgetCost {
  readonly kind: 'requests' | 'devices' | 'push';
  readonly perSecond: number;
  /** Units of the rate. */
  readonly cost: number;
}

export interface PacedDevices {
  /** Of the vendor, for these devices. */
  readonly calls: number;
  readonly devices: number;
  /** The pace of the push itself, in devices per second. */
  readonly flowControl?: number | undefined;
}

/** The rates of a vendor stand first. */
export function costsOf(
  { requestsPerSecond, devicesPerSecond }: Budget,
  { calls, devices, flowControl }: PacedDevices,
): readonly BudgetCost[] {
  return [
    ...atRate('requests', requestsPerSecond, calls),
    ...atRate('devices', devicesPerSecond, devices),
    ...atRate('push', flowControl, devices),
  ];
}

const atRate = (kind: BudgetCost['kind'], perSecond: number | undefined, cost: number): readonly BudgetCost[] =>
  perSecond === undefined ? [] : [{ kind, perSecond, cost }];
