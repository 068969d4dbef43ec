/** How often it is looked what changed and who may still know it, and how often a sign of life is sent. */
export interface LivePace {
  readonly tickMs: number;
  readonly heartbeatMs: number;
}

export const LIVE_PACE: LivePace = { tickMs: 1000, heartbeatMs: 15_000 };
