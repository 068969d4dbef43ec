import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { checkJsonLevels, type Json } from '@pushfleet/domain';
import { FairGate, type Logger } from '@pushfleet/service-kit';
import { Rounds } from '@pushfleet/store';
import { type Answer, type Rest } from './answer';
import { BodyMemory, FREE_BYTES, type BodyMemoryLimits, type Holding, type Payer } from './body-memory';
import { BodyPace, type PaceLimits } from './body-pace';
import { openDeadlines, type Deadlines, type Work } from './deadlines';
import { diagnose, type Diagnosis, type Dialect } from './dialect';
import { onceOver } from './hand-over';
import { type HttpRequest } from './http-request';
import { type EdgeMetrics } from './metrics';
import { isLarge, parseLarge, type BodyLevels } from './parse-large';
import { parseJson, utf8Of, withoutMark } from './parse-json';
import { readBody } from './read-body';
import { CallerGone, Overload } from './refusal';
import { send } from './send';
import { sendRest } from './send-rest';
import { StreamPlaces } from './stream-places';

/** One request, once it is known who makes it. */
export interface Exchange<Caller> {
  readonly req: HttpRequest;
  readonly caller: Caller;
  /** Empty where the endpoint takes none. */
  readonly body: Buffer;
  /** What the body says; throws when that is no JSON. */
  readonly json: () => Json;
  /** Aborted when there is nobody left to answer. */
  readonly signal: () => AbortSignal;
}

export interface Endpoint<Caller> {
  /** As metrics name it. */
  readonly route: string;
  /** Absent: a body is not read, whatever the client sends along. */
  readonly maxBodyBytes?: number;
  /** How deep it may nest. */
  readonly bodyLevels?: BodyLevels | undefined;
  /** The body may be something else than JSON. */
  readonly isRaw?: boolean;
  /** From the last byte of the request to its answer. */
  readonly deadlineMs?: number;
  /** Who is calling, told by the head of the request: until that is known, nothing of the body is read. */
  admit(req: HttpRequest): Promise<Caller>;
  /** Who pays for what the request holds; absent where it holds nothing. */
  payerOf?(caller: Caller, req: HttpRequest): Payer;
  handle(exchange: Exchange<Caller>): Promise<Answer>;
}

/** A Redis that hangs fails each command by itself, but a command may have waited behind another that hung. */
const DEADLINE_MS = 4000;

const NO_BODY = { body: Buffer.alloc(0), json: () => parseJson('') };
const NOBODY: Payer = { account: '' };
const nobody = (): Payer => NOBODY;

export interface EdgeLimits {
  readonly pace: PaceLimits;
  readonly bodies: BodyMemoryLimits;
}

export interface EdgePorts {
  readonly dialect: Dialect;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly metrics: EdgeMetrics;
  readonly limits: EdgeLimits;
  /** Told of every answer, when its head is sent. */
  readonly onAnswered: (route: string, answer: Answer, durationMs: number) => void;
}

interface Served<Caller> {
  readonly endpoint: Endpoint<Caller>;
  readonly deadlines: Deadlines;
  readonly req: HttpRequest;
  readonly res: ServerResponse;
}

/** Of whom an answer is told, and to whom. */
interface Answered {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly route: string;
  readonly startedAt: number;
  /** Who pays for what the answer holds, once it is known who asks. */
  payer: () => Payer;
}

const REPORT_EVERY_MS = 1000;

/** Serves endpoints: the caller first, then the body, then one answer, whatever happens in between. */
export class Edge {
  private lastUnavailableAt = -Infinity;
  private readonly pace: BodyPace;
  private readonly memory: BodyMemory;
  private readonly parsing = new FairGate({ atOnce: 1, perAccount: 1 });
  private readonly rounds = new Rounds();
  private readonly streams = new StreamPlaces();

  constructor(private readonly ports: EdgePorts) {
    this.pace = new BodyPace(ports.limits.pace);
    this.memory = new BodyMemory(ports.limits.bodies);
  }

  serve<Caller>(endpoint: Endpoint<Caller>): RequestListener {
    const { unavailable } = this.ports.dialect.texts;
    const deadlines = openDeadlines(endpoint.deadlineMs ?? DEADLINE_MS, () => new Overload('deadline', unavailable));
    return (req, res) => void this.run({ endpoint, deadlines, req, res });
  }

  /** Answers what the router itself threw: a path that cannot be decoded. */
  fail(error: unknown, req: IncomingMessage, res: ServerResponse): void {
    const startedAt = performance.now();
    this.answer({ req, res, route: 'other', startedAt, payer: nobody }, this.refuse(error));
  }

  /** The answer to what went wrong; a failure is logged here and nowhere else. */
  refuse(error: unknown): Answer {
    const { dialect, metrics } = this.ports;
    const diagnosis = this.examine(error);
    metrics.refused(error instanceof Overload ? error.shortage : diagnosis.problem);
    return { ...dialect.answer(diagnosis), problem: diagnosis.problem };
  }

  private examine(error: unknown): Diagnosis {
    const { dialect, log } = this.ports;
    const diagnosis = diagnose(dialect, error);
    if (diagnosis?.problem === 'unavailable') this.reportUnavailable(error);
    if (diagnosis) return diagnosis;
    const requestId = randomUUID();
    log.error({ err: error, requestId }, 'a request failed');
    return { problem: 'defect', message: dialect.texts.defect(requestId) };
  }

  private async run<Caller>(served: Served<Caller>): Promise<void> {
    const { endpoint, deadlines, req, res } = served;
    const startedAt = performance.now();
    const work = deadlines.begin(() => req.socket.destroyed);
    const to: Answered = { req, res, route: endpoint.route, startedAt, payer: nobody };
    let answer: Answer;
    try {
      answer = await this.work(served, work, to);
      if (answer.rest) return await this.stream({ ...to, work }, answer, answer.rest);
    } catch (error) {
      if (error instanceof CallerGone) return this.ports.metrics.refused('caller-gone');
      answer = this.refuse(error);
    } finally {
      work.close();
    }
    this.answer(to, answer);
  }

  private async stream(to: Answered & { readonly work: Work }, answer: Answer, rest: Rest): Promise<void> {
    let leave: () => void = () => undefined;
    try {
      leave = this.streams.take(rest.account);
      this.answer(to, answer);
      await sendRest({ ...to, pace: this.pace, refuse: (error) => this.refuse(error) }, answer.body, rest);
    } finally {
      leave();
      rest.ended?.();
    }
  }

  private async work<Caller>({ endpoint, req, res }: Served<Caller>, work: Work, to: Answered): Promise<Answer> {
    const caller = await work.within(endpoint.admit(req));
    to.payer = () => endpoint.payerOf?.(caller, req) ?? NOBODY;
    const signal = (): AbortSignal => work.signal;
    const { maxBodyBytes: maxBytes } = endpoint;
    if (maxBytes === undefined) return work.within(endpoint.handle({ req, caller, ...NO_BODY, signal }));
    const payer = to.payer();
    let held: Holding | undefined;
    work.pause();
    const body = await readBody({
      holding: (giveUp) => (held = this.memory.open(payer, giveUp)),
      req,
      res,
      maxBytes,
      pace: this.pace,
    });
    work.restart();
    const handled = this.parsed(endpoint, payer, { body, signal }).then((json) =>
      endpoint.handle({ req, caller, body, json, signal }),
    );
    // What nobody waits for any more still holds its body.
    if (held && body.length > FREE_BYTES) void handled.then(held.release, held.release);
    return work.within(handled);
  }

  /**
   * Small bodies are parsed when they are asked for, others before: each in a round with room for it, large ones in pieces
   * and one at a time.
   */
  private async parsed(
    { isRaw, bodyLevels = 'jsonLevels' }: Pick<Endpoint<never>, 'isRaw' | 'bodyLevels'>,
    { account }: Payer,
    { body: sent, signal }: Pick<Exchange<never>, 'body' | 'signal'>,
  ): Promise<() => Json> {
    const body = withoutMark(sent);
    const read = (): Json => parseJson(utf8Of(body));
    if (isRaw === true || body.length <= FREE_BYTES) {
      checkJsonLevels(body, bodyLevels);
      return read;
    }
    if (!isLarge(body)) {
      const value = await this.rounds.spend(() => {
        checkJsonLevels(body, bodyLevels);
        return read();
      });
      return () => value;
    }
    const json = await this.parsing.run(account, () => parseLarge(body, bodyLevels, signal()), signal);
    return () => json;
  }

  private answer(to: Answered, made: Answer): void {
    const { req, res, route, startedAt } = to;
    const cutOff = (reason: unknown): void => {
      this.refuse(reason);
      req.socket.destroy();
    };
    const answer = this.withRoom(to, made, cutOff);
    send({ req, res, dialect: this.ports.dialect, pace: this.pace, cutOff }, answer);
    if (!req.complete) this.pace.letFinish(req);
    this.ports.onAnswered(route, answer, performance.now() - startedAt);
  }

  /** A large answer is held until its caller has taken it; where there is no room for it, the answer says so instead. */
  private withRoom({ req, res, payer }: Answered, answer: Answer, cutOff: (reason: Error) => void): Answer {
    if (answer.body.length <= FREE_BYTES || answer.isConstant || answer.rest || req.socket.destroyed) return answer;
    let isHeld = false;
    const holding = this.memory.openAnswer(payer(), (reason) => isHeld && cutOff(reason));
    try {
      holding.hold(Buffer.byteLength(answer.body));
    } catch (error) {
      return this.refuse(error);
    }
    isHeld = true;
    onceOver(res, holding.release);
    return answer;
  }

  /** Once a second: every request of an outage fails for the same reason. */
  private reportUnavailable(err: unknown): void {
    const now = performance.now();
    if (now - this.lastUnavailableAt < REPORT_EVERY_MS) return;
    this.lastUnavailableAt = now;
    this.ports.log.warn({ err }, 'requests are refused for lack of something');
  }
}
