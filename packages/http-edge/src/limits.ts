import { type EdgeConfig } from '@pushfleet/service-kit';
import { type EdgeLimits } from './edge';

export function edgeLimitsOf(config: EdgeConfig): EdgeLimits {
  return {
    pace: { graceMs: config.HTTP_BODY_GRACE_MS, bytesPerSecond: config.HTTP_BODY_BYTES_PER_SECOND },
    bodies: { bytesInAll: config.HTTP_BODY_MEMORY_BYTES, bytesPerAccount: config.HTTP_BODY_MEMORY_PER_APP_BYTES },
  };
}
