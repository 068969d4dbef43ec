/** How a call ended, as far as it tells how many the vendor takes at once; `lost`: without an answer. */
export type CallEnd = 'answered' | 'throttled' | 'lost';

/** With these a profile begins, and no more are left to it by a pause: no vendor is stormed. */
export const FIRST_CALLS = 16;
/** Rising latency alone leaves so many. Calls that are slow then are not slow because they are many. */
const LEAST_WHEN_SLOW = 8;
/** A call may take half as long again as it did with few under way, and so much more. */
const RISE = { factor: 1.5, slackMs: 50 };
const PAUSE_MS = 10_000;
/** A round is as many calls as are allowed; it tells something once these of them have ended. The first to end are the quick ones. */
const ENDED = 0.75;

/**
 * How many calls of a profile may be in flight. It doubles with every round of calls while the vendor keeps its latency and more
 * are wanted, and halves when the vendor refuses a call or does not answer; from there on, and once the latency rose, it feels its
 * way in small steps. Calls that began before the last change tell nothing of it.
 */
export class CallLimit {
  private allowed: number;
  /** Below it, the limit doubles. */
  private threshold: number;
  /** Latency while the vendor is not pressed. */
  private base: number | undefined;
  private period = { toSample: 0, sampled: 0, latencies: [] as number[], isWanted: false };
  private hasGrown = true;
  private usedAt = -Infinity;

  constructor(private readonly most: number) {
    this.allowed = Math.min(FIRST_CALLS, most);
    this.threshold = most;
    this.become(this.allowed);
  }

  /** The typical latency of calls that press the vendor least; undefined before any has ended. */
  get latencyMs(): number | undefined {
    return this.base;
  }

  get present(): number {
    return this.allowed;
  }

  /** Asked before each call. */
  at(now: number): number {
    if (now - this.usedAt > PAUSE_MS && this.allowed > FIRST_CALLS) {
      this.threshold = this.allowed;
      this.become(FIRST_CALLS);
    }
    this.usedAt = now;
    return this.allowed;
  }

  /** More calls were wanted than are allowed. */
  refused(): void {
    this.period.isWanted = true;
  }

  /** The returned function notes the end of the call; without an argument the vendor was not asked. */
  begin(beganAt: number): (endedAt: number, end?: CallEnd) => void {
    const { period } = this;
    const isSampled = period.sampled < period.toSample;
    period.sampled += Number(isSampled);
    return (endedAt, end) => {
      if (period !== this.period) return;
      if (end === undefined) period.sampled -= Number(isSampled);
      else if (end !== 'answered') this.cut();
      else if (isSampled) this.sample(endedAt - beganAt);
    };
  }

  private cut(): void {
    const half = Math.max(1, Math.floor(this.allowed / 2));
    // An outage refuses call after call: it is left as quickly as it began.
    if (this.hasGrown) this.threshold = half;
    this.hasGrown = false;
    this.become(half);
  }

  private sample(latencyMs: number): void {
    const { latencies, toSample } = this.period;
    latencies.push(latencyMs);
    if (latencies.length >= toSample * ENDED) this.judge(Math.max(...latencies));
  }

  private judge(latencyMs: number): void {
    this.learn(latencyMs);
    const tolerated = this.tolerated();
    if (latencyMs > tolerated) {
      this.threshold = Math.max(LEAST_WHEN_SLOW, Math.floor((this.allowed * tolerated) / latencyMs));
      this.become(this.threshold);
    } else if (this.period.isWanted && this.allowed < this.most) {
      const below = this.threshold - this.allowed;
      const step = below > 0 ? Math.min(this.allowed, below) : Math.ceil(Math.sqrt(this.allowed));
      this.hasGrown = true;
      this.become(Math.min(this.most, this.allowed + step));
    } else this.become(this.allowed);
  }

  private learn(latencyMs: number): void {
    const isPressed = this.allowed > LEAST_WHEN_SLOW;
    // Slow without being pressed: what was learned before is of another time.
    if (!isPressed && latencyMs > this.tolerated()) this.threshold = this.most;
    this.base = isPressed ? Math.min(latencyMs, this.base ?? latencyMs) : latencyMs;
  }

  private tolerated(): number {
    return this.base === undefined ? Infinity : RISE.factor * this.base + RISE.slackMs;
  }

  private become(allowed: number): void {
    this.allowed = allowed;
    this.period = { toSample: allowed, sampled: 0, latencies: [], isWanted: false };
  }
}
