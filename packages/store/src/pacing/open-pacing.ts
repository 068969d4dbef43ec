import type { PacingKeys } from './keys';
import { type PushKeys, openEstimates, type EstimateStore } from '../pushes';
import type { RedisClient } from '../kit/redis';
import { openBreakers, type BreakerStore } from './breakers';
import { openBudgetLeases, type BudgetLeases } from './budget-leases';
import { openCallLimits, type CallLimitStore } from './call-limits';
import { openControls, type ControlStore } from './controls';
import { openPushHolds, type PushHoldStore } from './push-holds';
import { openSlowCalls, type SlowCallStore } from './slow-calls';
import { openVendorWaits, type VendorWaitStore } from './vendor-waits';
import { openWorkerBeats, type WorkerBeats } from './worker-beats';

/** What the workers of a channel must agree on: how fast, whether at all, and how many they are. */
export interface PacingStore {
  readonly leases: BudgetLeases;
  readonly controls: ControlStore;
  readonly breakers: BreakerStore;
  readonly pushHolds: PushHoldStore;
  readonly slowCalls: SlowCallStore;
  readonly callLimits: CallLimitStore;
  readonly vendorWaits: VendorWaitStore;
  readonly workers: WorkerBeats;
  readonly estimates: EstimateStore;
}

export function openPacing(parts: { readonly redis: RedisClient; readonly keys: PacingKeys & PushKeys }): PacingStore {
  return {
    leases: openBudgetLeases(parts),
    controls: openControls(parts),
    breakers: openBreakers(parts),
    pushHolds: openPushHolds(parts),
    slowCalls: openSlowCalls(parts),
    callLimits: openCallLimits(parts),
    vendorWaits: openVendorWaits(parts),
    workers: openWorkerBeats(parts),
    estimates: openEstimates(parts),
  };
}
