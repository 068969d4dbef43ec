import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { answerText } from './answer-text';

export interface VendorRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the call, the reading of its answer included. */
  readonly signal: AbortSignal;
  /** Reaches no device, however often it is made: an access token, a saved message. */
  readonly isHarmless?: boolean;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How a request ended, told by whether the vendor can have taken it. */
export type ExchangeEnd =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly body: string }
  /** Nothing of it was written. */
  | { readonly kind: 'not-sent'; readonly cause: unknown }
  /** It was written, and the connection ended before the first byte of an answer. */
  | { readonly kind: 'lost'; readonly wasReused: boolean; readonly cause: unknown }
  /** It was written and came to no usable end: too late, too long, broken off within its answer. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

export interface ExchangeBounds {
  /** On the clock of `performance`. */
  readonly deadlineAt: number;
  readonly maxAnswerBytes: number;
}

/** What a header may hold (RFC 9110, 5.5). The client throws for anything else, and never uses that connection again. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A header that cannot be written: of credentials that are none of the vendor's. */
class OddHeader extends Error {
  override readonly name = 'OddHeader';
  readonly code = 'ODD_HEADER';
}

/** An end that the caller brought about. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
  constructor(readonly code: 'DEADLINE' | 'ABORTED' | 'ANSWER_TOO_LONG') {
    super(code);
  }
}

/** The client publishes the socket of a request right after it told its handler that it starts. */
const starting: { exchange?: Exchange | undefined } = {};
const used = new WeakSet<object>();
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket };
  starting.exchange?.writtenTo(socket, used.has(socket));
  starting.exchange = undefined;
  used.add(socket);
});

/** Makes one request and reads its answer, within bounds. Never rejects. */
export function exchange(agent: Agent, request: VendorRequest, bounds: ExchangeBounds): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    const { url, method, headers, body = null, signal } = request;
    const handler = new Exchange(resolve, bounds.maxAnswerBytes);
    const giveUp = (code: GivenUp['code']) => (): void => handler.giveUp(new GivenUp(code));
    const abort = giveUp('ABORTED');
    const timer = setTimeout(giveUp('DEADLINE'), Math.max(1, bounds.deadlineAt - performance.now()));
    signal.addEventListener('abort', abort, { once: true });
    handler.onEnd = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    if (signal.aborted) return abort();
    const odd = Object.keys(headers ?? {}).find((name) => !HEADER_VALUE.test(headers?.[name] ?? ''));
    if (odd !== undefined) return handler.onResponseError(undefined, new OddHeader(odd));
    const { origin, pathname, search } = new URL(url);
    agent.dispatch({ origin, path: `${pathname}${search}`, method, headers: { ...headers }, body }, handler);
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  onEnd: () => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: Headers = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private isOver = false;
  private reason: GivenUp | undefined;
  private wasReused = false;
  /** Whether anything of an answer has come, were it no more than an announcement of one. */
  private isSilent = (): boolean => true;

  constructor(
    private readonly resolve: (end: ExchangeEnd) => void,
    private readonly maxAnswerBytes: number,
  ) {}

  giveUp(reason: GivenUp): void {
    this.reason ??= reason;
    this.fail(this.reason);
    this.controller?.abort(this.reason);
  }

  writtenTo(socket: Socket, wasReused: boolean): void {
    const { bytesRead } = socket;
    this.wasReused = wasReused;
    this.isSilent = () => socket.bytesRead === bytesRead;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) return controller.abort(this.reason ?? new GivenUp('ABORTED'));
    this.controller = controller;
    starting.exchange = this;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // An answer of 1xx announces the real one.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxAnswerBytes) this.giveUp(new GivenUp('ANSWER_TOO_LONG'));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = answerText(Buffer.concat(this.chunks), this.headers['content-encoding'], this.maxAnswerBytes);
    this.end({ kind: 'answer', status: this.status, headers: this.headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, cause: Error): void {
    this.fail(cause);
  }

  private fail(cause: Error): void {
    if (!this.controller) return this.end({ kind: 'not-sent', cause });
    const isLost = this.reason === undefined && this.isSilent() && isReset(cause);
    this.end(isLost ? { kind: 'lost', wasReused: this.wasReused, cause } : { kind: 'unknown', cause });
  }

  private end(end: ExchangeEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onEnd();
    this.resolve(end);
  }
}

/** Not an answer that cannot be parsed: its first byte has come. */
const isReset = (cause: Error): boolean =>
  'code' in cause && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(cause.code));
