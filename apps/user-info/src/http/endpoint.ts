import { type Logger } from '@pushfleet/service-kit';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Outcome, type UserInfoMetrics } from '../metrics';
import { problemAnswer, send, type Answer } from './answer';
import { refusalOf, serverError, type Refusal } from './problem';

export type Handle = (req: IncomingMessage) => Promise<Answer>;

export interface EdgePorts {
  readonly metrics: UserInfoMetrics;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
}

const REPORT_EVERY_MS = 1_000;

/** Runs a route: one answer out, whatever happens in between. */
export class Edge {
  private lastReportAt = -Infinity;
  private unreported = 0;

  constructor(private readonly ports: EdgePorts) {}

  async run(handle: Handle, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    let outcome: Outcome = 'ok';
    let answer: Answer;
    try {
      answer = await handle(req);
    } catch (error) {
      const refusal = this.refusalFor(error);
      outcome = refusal.code;
      answer = problemAnswer(refusal, this.ports.now());
    }
    send(res, answer);
    this.ports.metrics.answered(outcome, performance.now() - startedAt);
  }

  private refusalFor(error: unknown): Refusal {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal;
    this.report(error);
    return serverError();
  }

  /** Once a second: while Redis is away every request fails for the same reason. */
  private report(err: unknown): void {
    const now = performance.now();
    this.unreported += 1;
    if (now - this.lastReportAt < REPORT_EVERY_MS) return;
    this.ports.log.error({ err, requests: this.unreported }, 'requests failed');
    this.lastReportAt = now;
    this.unreported = 0;
  }
}
