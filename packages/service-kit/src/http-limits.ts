import { type ConnectionLimits } from './guard-connections';

export interface HttpLimits extends ConnectionLimits {
  /** Of one connection, sent behind each other and not answered yet. */
  readonly requestsInLine: number;
  /** From the first byte of a request, or from its connection, to the end of its head. */
  readonly headersTimeoutMs: number;
  /** Longer than the idle time of common load balancers, so that it is they who close idle connections. */
  readonly idleTimeoutMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  connections: 10_000,
  connectionsPerAddress: 1000,
  requestsInLine: 100,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 75_000,
};
