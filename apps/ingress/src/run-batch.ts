import { InvalidInput, LIMITS, overLimit, writeJson } from '@pushfleet/domain';
import { NOTHING, type Answer } from '@pushfleet/http-edge';
import { type ApiCall, type ApiEndpoint } from './http/api-call';
import { type RunInLane } from './http/lanes';
import { type openRouteFinder } from './http/api-routes';
import { Refusal } from './http/problem';
import { type BatchElement } from './batch-elements';

/** One element, found to be a call of the API; or why it is none. */
export type BatchCall = { readonly endpoint: ApiEndpoint; readonly call: ApiCall; readonly method: string } | Error;

type FindRoute = ReturnType<typeof openRouteFinder>;

/** The calls that a batch stands for, each with the rights of the batch's own caller. */
export function callsOf(
  elements: readonly (BatchElement | InvalidInput)[],
  batch: Pick<ApiCall, 'caller' | 'prodHeader' | 'signal' | 'address'>,
  findRoute: FindRoute,
): readonly BatchCall[] {
  const { caller, prodHeader, address } = batch;
  const signal = (): AbortSignal => batch.signal();
  return elements.map((element) => {
    if (element instanceof Error) return element;
    const { method, path, query } = element;
    try {
      const found = findRoute(method, path);
      if (!found) return new Refusal('route-unknown', `There is no ${method} ${path.slice(0, 200)} here.`);
      const { endpoint, params } = found;
      const call: ApiCall = {
        ...{ caller, path, query, prodHeader, signal, address },
        param: (name) => params[name] ?? '',
        json: () => bodyOf(element, endpoint),
      };
      return { endpoint, call, method };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  });
}

function bodyOf({ body = null }: BatchElement, { maxBodyBytes = 0 }: ApiEndpoint) {
  if (Buffer.byteLength(writeJson(body)) > maxBodyBytes)
    throw new InvalidInput('too-large', `the body may have at most ${maxBodyBytes} bytes`);
  return body;
}

export interface RunOptions {
  readonly runInLane: RunInLane;
  /** Once it is aborted, no further element begins. */
  readonly signal: AbortSignal;
}

/** Elements of one batch that wait for their turns or are under way: one envelope of pushes. */
const AT_ONCE = 64;

/**
 * Runs calls in order, those of one method beside each other. An element that fails is an error among the answers and
 * stops nobody; `NOTHING` is told apart by identity.
 */
export async function runCalls(calls: readonly BatchCall[], options: RunOptions): Promise<readonly (Answer | Error)[]> {
  const run = new BatchRun(calls, options);
  let begin = 0;
  while (begin < calls.length) {
    let end = begin + 1;
    while (end < calls.length && methodOf(calls[end]) === methodOf(calls[begin])) end += 1;
    await run.beside(begin, end);
    begin = end;
  }
  return run.answers;
}

const methodOf = (call: BatchCall | undefined): string => (call && !(call instanceof Error) ? call.method : '');

class BatchRun {
  readonly answers: (Answer | Error)[];
  private bytes = 0;

  constructor(
    private readonly calls: readonly BatchCall[],
    private readonly options: RunOptions,
  ) {
    this.answers = new Array<Answer | Error>(calls.length);
  }

  async beside(begin: number, end: number): Promise<void> {
    let next = begin;
    const work = async (): Promise<void> => {
      while (next < end) {
        const i = next;
        next += 1;
        this.options.signal.throwIfAborted();
        this.keep(i, await this.run(this.calls[i]));
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, end - begin) }, work));
  }

  private keep(i: number, answer: Answer | Error): void {
    this.answers[i] = answer;
    if (!(answer instanceof Error)) this.bytes += answer.body.length;
  }

  private async run(call: BatchCall | undefined): Promise<Answer | Error> {
    if (call === undefined || call instanceof Error) return call ?? NOTHING;
    if (this.bytes > LIMITS.batchAnswerBytes.value)
      return overLimit('batchAnswerBytes', 'the answers of a batch: may have');
    const { endpoint, call: asked } = call;
    try {
      const lane = endpoint.lane === 'query' ? 'query' : 'element';
      return await this.options.runInLane(lane, asked, () => endpoint.handle(asked));
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
