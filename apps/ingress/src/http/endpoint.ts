import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Logger } from '@pushfleet/service-kit';
import { type IngressMetrics, type RouteName } from '../metrics';
import { type Answer } from './answer';
import { openDeadlines, type Deadlines } from './deadlines';
import { diagnose, problemAnswer, problemBody, PROBLEMS, Refusal, unavailable, type Diagnosis } from './problem';
import { CallerGone, readBody } from './read-body';
import { type HttpRequest } from './http-request';
import { send } from './send';

export interface Endpoint {
  readonly route: RouteName;
  /** Absent: a body is not read, whatever the client sends along. */
  readonly maxBodyBytes?: number;
  /** From the last byte of the request to its answer. */
  readonly deadlineMs?: number;
  handle(req: HttpRequest, body: string): Promise<Answer>;
}

/** A Redis that hangs fails each command by itself, but a command may have waited behind another that hung. */
const DEADLINE_MS = 4000;

const LARGE_BYTES = 1024 * 1024;
const MAX_LARGE_BODIES = 8;

/** As declared; a body of unknown length may be of any. */
const sizeOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? Infinity);

const busy = (): Refusal => new Refusal('unavailable', 'Too many large bodies at once; try again soon.');

interface Exchange {
  readonly req: HttpRequest;
  readonly res: ServerResponse;
}

export interface EndpointPorts {
  readonly metrics: Pick<IngressMetrics, 'answered'>;
  readonly log: Logger;
  readonly now: () => number;
}

/** Serves endpoints: body in, one answer out, whatever happens in between. */
export class Edge {
  private lastUnavailableAt = 0;
  private largeBodies = 0;

  constructor(private readonly ports: EndpointPorts) {}

  serve(endpoint: Endpoint): RequestListener {
    const deadlines = openDeadlines(endpoint.deadlineMs ?? DEADLINE_MS, unavailable);
    const { maxBodyBytes = 0 } = endpoint;
    return (req, res) => {
      const isLarge = maxBodyBytes > LARGE_BYTES && sizeOf(req) > LARGE_BYTES;
      void (isLarge ? this.runLarge(endpoint, deadlines, { req, res }) : this.run(endpoint, deadlines, { req, res }));
    };
  }

  /** A body is held as a whole, and several times over while it is parsed: only so many large ones at once. */
  private async runLarge(endpoint: Endpoint, deadlines: Deadlines, exchange: Exchange): Promise<void> {
    if (this.largeBodies === MAX_LARGE_BODIES) {
      send(exchange.req, exchange.res, this.refuse(busy()));
      return this.ports.metrics.answered(endpoint.route, PROBLEMS.unavailable.status, 0);
    }
    this.largeBodies += 1;
    try {
      await this.run(endpoint, deadlines, exchange);
    } finally {
      this.largeBodies -= 1;
    }
  }

  /** Answers what the router itself threw: a path that cannot be decoded. */
  fail(error: unknown, req: IncomingMessage, res: ServerResponse): void {
    const answer = this.refuse(error);
    send(req, res, answer);
    this.ports.metrics.answered('other', answer.status, 0);
  }

  /** The error among the answers of a batch. */
  explain(error: unknown): { code: number; error: string } {
    return problemBody(this.examine(error));
  }

  private refuse(error: unknown): Answer {
    return problemAnswer(this.examine(error));
  }

  /** What went wrong, in words for the caller; a failure is logged here and nowhere else. */
  private examine(error: unknown): Diagnosis {
    const diagnosis = diagnose(error);
    if (diagnosis.problem === 'unavailable') this.reportUnavailable(error);
    if (diagnosis.problem !== 'defect') return diagnosis;
    const requestId = randomUUID();
    this.ports.log.error({ err: error, requestId }, 'a request failed');
    return { ...diagnosis, message: `${diagnosis.message} Request ${requestId}.` };
  }

  private async run(endpoint: Endpoint, deadlines: Deadlines, { req, res }: Exchange): Promise<void> {
    const { route, maxBodyBytes } = endpoint;
    const startedAt = performance.now();
    let answer: Answer;
    try {
      const body = maxBodyBytes === undefined ? '' : await readBody(req, maxBodyBytes);
      answer = await deadlines.within(endpoint.handle(req, body));
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
