export { PREFLIGHT_KEYS, preflightKeys } from './keys';
export { openPreflights, type Preflights } from './preflights';
export type { PreflightCount, PreflightCounts, PreflightQuestion, PreflightState, PreflightWay } from './question';
