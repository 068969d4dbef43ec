import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Logger } from '@pushfleet/service-kit';
import { type Request, type RequestHandler } from 'express';
import { type IngressMetrics, type RouteName } from '../metrics';
import { send, type Answer } from './answer';
import { diagnose, problemAnswer } from './problem';
import { CallerGone, readBody } from './read-body';

export interface Endpoint {
  readonly route: RouteName;
  /** Absent: a body is not read, whatever the client sends along. */
  readonly maxBodyBytes?: number;
  handle(req: Request, body: string): Promise<Answer>;
}

export interface EndpointPorts {
  readonly metrics: Pick<IngressMetrics, 'answered'>;
  readonly log: Logger;
  readonly now: () => number;
}

/** Serves endpoints: body in, one answer out, whatever happens in between. */
export class Edge {
  private lastUnavailableAt = 0;

  constructor(private readonly ports: EndpointPorts) {}

  serve(endpoint: Endpoint): RequestHandler {
    return (req, res) => void this.run(endpoint, req, res);
  }

  /** Answers what the router itself threw: a path that cannot be decoded. */
  fail(error: unknown, req: IncomingMessage, res: ServerResponse): void {
    const answer = this.refuse(error);
    send(req, res, answer);
    this.ports.metrics.answered('other', answer.status, 0);
  }

  /** The answer to what went wrong; a failure is logged here and nowhere else. */
  private refuse(error: unknown): Answer {
    const diagnosis = diagnose(error);
    if (diagnosis.problem === 'unavailable') this.reportUnavailable(error);
    if (diagnosis.problem !== 'defect') return problemAnswer(diagnosis);
    const requestId = randomUUID();
    this.ports.log.error({ err: error, requestId }, 'a request failed');
    return problemAnswer({ ...diagnosis, message: `${diagnosis.message} Request ${requestId}.` });
  }

  private async run({ route, maxBodyBytes, handle }: Endpoint, req: Request, res: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    let answer: Answer;
    try {
      answer = await handle(req, maxBodyBytes === undefined ? '' : await readBody(req, maxBodyBytes));
    } catch (error) {
      if (error instanceof CallerGone) return;
      answer = this.refuse(error);
    }
    send(req, res, answer);
    this.ports.metrics.answered(route, answer.status, performance.now() - startedAt);
  }

  /** Once a second: every request of an outage fails for the same reason. */
  private reportUnavailable(err: unknown): void {
    const now = this.ports.now();
    if (now - this.lastUnavailableAt < 1000) return;
    this.lastUnavailableAt = now;
    this.ports.log.warn({ err }, 'requests are refused: Redis cannot serve');
  }
}
