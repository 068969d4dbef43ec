import { PAGE_DEVICES } from './plan';
import type { Budget } from './profile';

/** A page has no more calls than its budget allows in a tenth of a second: a larger page would wait for its budget. */
const PAGES_PER_SECOND = 10;

/** Devices of a page of a campaign, `maxBatch` of which make one call of the vendor. */
export function pageDevicesFor({ requestsPerSecond = Infinity }: Budget, maxBatch: number): number {
  const calls = Math.max(1, Math.floor(requestsPerSecond / PAGES_PER_SECOND));
  return Math.max(maxBatch, Math.min(PAGE_DEVICES, calls * maxBatch));
}

/** Calls that a campaign of so many devices takes, page by page. */
export function callsFor(devices: number, way: { readonly pageDevices: number; readonly maxBatch: number }): number {
  const { pageDevices, maxBatch } = way;
  const rest = devices % pageDevices;
  return Math.floor(devices / pageDevices) * Math.ceil(pageDevices / maxBatch) + Math.ceil(rest / maxBatch);
}
