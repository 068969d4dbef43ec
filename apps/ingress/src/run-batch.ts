import { defaultMaxListeners, setMaxListeners } from 'node:events';
import { InvalidInput, LIMITS, overLimit, writeJson, type Json } from '@pushfleet/domain';
import { type Answer } from '@pushfleet/http-edge';
import { type Rounds } from '@pushfleet/store';
import { type ApiCall, type ApiEndpoint } from './http/api-call';
import { type RunInLane } from './http/lanes';
import { nowhere, type openRouteFinder } from './http/api-routes';
import { type BatchElement } from './batch-elements';
import { BodyOrder } from './body-order';

/** One element, found to be a call of the API; or why it is none. */
export type BatchCall = FoundCall | Error;

interface FoundCall {
  readonly endpoint: ApiEndpoint;
  readonly call: ApiCall;
  readonly method: string;
  /** Names of what it changes, each once. */
  readonly changes: readonly string[];
}

type FindRoute = ReturnType<typeof openRouteFinder>;

/** The longest that leads anywhere names a thousand objects. */
const MAX_PATH = 64 * 1024;
/** Elements that are looked at together. */
const PER_LOOK = 16;

/** The calls that a batch stands for, each with the rights of the batch's own caller. */
export async function callsOf(
  elements: readonly (BatchElement | InvalidInput)[],
  batch: Pick<ApiCall, 'caller' | 'prodHeader' | 'signal' | 'address'>,
  { findRoute, rounds }: { readonly findRoute: FindRoute; readonly rounds: Rounds },
): Promise<readonly BatchCall[]> {
  const { caller, prodHeader, address } = batch;
  const signal = (): AbortSignal => batch.signal();
  const callOf = (element: BatchElement): BatchCall => {
    const { method, path } = element;
    const found = path.length > MAX_PATH ? undefined : findRoute(method, path);
    if (!found) return nowhere(method, path);
    const { endpoint, params } = found;
    const call = new ElementCall({ caller, prodHeader, address, signal, element, endpoint, params });
    const changes = [...new Set(endpoint.changes?.(params, element.body ?? null))];
    return { endpoint, call, method, changes };
  };
  return inRounds(rounds, elements, (element) => {
    if (element instanceof Error) return element;
    try {
      return callOf(element);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  });
}

/** One after the other, with looks at the rest of the world in between. */
async function inRounds<T, R>(rounds: Rounds, items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += PER_LOOK)
    done.push(...(await rounds.spend(() => items.slice(from, from + PER_LOOK).map(work))));
  return done;
}

type ElementOptions = Pick<ApiCall, 'caller' | 'prodHeader' | 'signal' | 'address'> & {
  readonly element: BatchElement;
  readonly endpoint: ApiEndpoint;
  readonly params: Readonly<Record<string, string>>;
};

class ElementCall implements ApiCall {
  readonly caller: ApiCall['caller'];
  readonly prodHeader: ApiCall['prodHeader'];
  readonly address: ApiCall['address'];
  readonly path: string;
  private read: URLSearchParams | undefined;

  constructor(private readonly options: ElementOptions) {
    const { caller, prodHeader, address, element } = options;
    this.caller = caller;
    this.prodHeader = prodHeader;
    this.address = address;
    this.path = element.path;
  }

  get query(): URLSearchParams {
    this.read ??= this.options.element.query();
    return this.read;
  }
  accepts(): boolean {
    return false;
  }
  param(name: string): string {
    return this.options.params[name] ?? '';
  }
  json(): Json {
    return bodyOf(this.options.element, this.options.endpoint);
  }
  judgeAgain(): Promise<never> {
    return Promise.reject(new Error('the answer of an element is no stream'));
  }
  signal(): AbortSignal {
    return this.options.signal();
  }
}

function bodyOf({ body = null }: BatchElement, { maxBodyBytes = 0 }: ApiEndpoint) {
  if (Buffer.byteLength(writeJson(body)) > maxBodyBytes)
    throw new InvalidInput('too-large', `the body may have at most ${maxBodyBytes} bytes`);
  return body;
}

export interface RunOptions {
  readonly runInLane: RunInLane;
  /** The answer to what went wrong, which is logged when it is our fault. */
  readonly refuse: (error: unknown) => Answer;
  /** Called for every push with its answer, which is hidden in the answer of the batch. */
  readonly onPush: (route: string, status: number) => void;
  /** Of all batches: what elements compute is spread over them. */
  readonly rounds: Rounds;
  /** Once it is aborted, no further element begins. */
  readonly signal: AbortSignal;
}

/** What became of one element. */
export interface BatchAnswer {
  readonly answer: Answer;
  readonly isRefused: boolean;
}

/** Elements of one batch that wait for their turns or are under way: one envelope of pushes. */
const AT_ONCE = 64;

/**
 * Runs calls in order, those of one method beside each other unless they change the same, and pushes after the saves before
 * them: who is reached may hang on what was saved. An element that fails is refused in its place and stops nobody.
 */
export async function runCalls(calls: readonly BatchCall[], options: RunOptions): Promise<readonly BatchAnswer[]> {
  // All of them watch the one signal, each while it waits for its turn.
  setMaxListeners(AT_ONCE + defaultMaxListeners, options.signal);
  const run = new BatchRun(calls, options);
  let begin = 0;
  while (begin < calls.length) {
    let end = begin + 1;
    while (end < calls.length && kindOf(calls[end]) === kindOf(calls[begin])) end += 1;
    await run.beside(begin, end);
    begin = end;
  }
  return run.answers;
}

/** Calls of one kind that follow each other go on beside each other. */
function kindOf(call: BatchCall | undefined): string {
  if (!call || call instanceof Error) return '';
  return call.endpoint.countsAs === 'push' ? 'push' : call.method;
}

const NO_NAMES: readonly string[] = [];
const changesOf = (call: BatchCall | undefined): readonly string[] =>
  call && !(call instanceof Error) ? call.changes : NO_NAMES;

export const isPush = (call: BatchCall): call is FoundCall =>
  !(call instanceof Error) && call.endpoint.countsAs === 'push';

class BatchRun {
  readonly answers: BatchAnswer[];
  private bytes = 0;

  constructor(
    private readonly calls: readonly BatchCall[],
    private readonly options: RunOptions,
  ) {
    this.answers = new Array<BatchAnswer>(calls.length);
  }

  async beside(begin: number, end: number): Promise<void> {
    const order = new BodyOrder((i) => changesOf(this.calls[i]), { begin, end });
    const work = async (): Promise<void> => {
      for (let i = order.next(); i !== undefined; i = order.next()) {
        this.options.signal.throwIfAborted();
        await this.run(i, this.calls[i] as BatchCall);
        order.done(i);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, end - begin) }, work));
  }

  private async run(i: number, call: BatchCall): Promise<void> {
    const { signal, rounds, refuse, onPush } = this.options;
    let made: BatchAnswer;
    try {
      made = { answer: await this.answerOf(call), isRefused: false };
    } catch (error) {
      // Nobody waits for it, and it failed for that reason most likely.
      signal.throwIfAborted();
      made = { answer: await rounds.spend(() => refuse(error)), isRefused: true };
    }
    this.answers[i] = made;
    if (!made.isRefused) this.bytes += Buffer.byteLength(made.answer.body);
    if (isPush(call)) onPush(call.endpoint.route, made.answer.status);
  }

  private async answerOf(found: BatchCall): Promise<Answer> {
    if (found instanceof Error) throw found;
    const { endpoint, call } = found;
    const { runInLane, rounds } = this.options;
    const lane = endpoint.lane === 'query' ? 'query' : 'element';
    return runInLane(lane, call, async () => {
      // Of those that waited for their turns together, each knows now what the others answered.
      this.requireRoom();
      return rounds.spend(() => endpoint.handle(call));
    });
  }

  private requireRoom(): void {
    if (this.bytes > LIMITS.batchAnswerBytes.value)
      throw overLimit('batchAnswerBytes', 'the answers of a batch: may have');
  }
}
