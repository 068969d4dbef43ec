import { InvalidInput, writeJson } from '@pushfleet/domain';
import { NOTHING, type Answer } from '@pushfleet/http-edge';
import { type ApiCall, type ApiEndpoint } from './http/api-call';
import { type openRouteFinder } from './http/api-routes';
import { Refusal } from './http/problem';
import { type BatchElement } from './batch-elements';

/** One element, found to be a call of the API; or why it is none. */
export type BatchCall = { readonly endpoint: ApiEndpoint; readonly call: ApiCall; readonly method: string } | Error;

type FindRoute = ReturnType<typeof openRouteFinder>;

/** The calls that a batch stands for, each with the rights of the batch's own caller. */
export function callsOf(
  elements: readonly (BatchElement | InvalidInput)[],
  { caller, prodHeader, signal, address }: Pick<ApiCall, 'caller' | 'prodHeader' | 'signal' | 'address'>,
  findRoute: FindRoute,
): readonly BatchCall[] {
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

/** Calls of one batch under way at once: four envelopes of pushes, so that others get their turn in between. */
const AT_ONCE = 256;

/**
 * Runs calls in order, those of one method beside each other. An element that fails is an error among the answers and
 * stops nobody; `NOTHING` is told apart by identity.
 */
export async function runCalls(calls: readonly BatchCall[]): Promise<readonly (Answer | Error)[]> {
  const answers = new Array<Answer | Error>(calls.length);
  let begin = 0;
  while (begin < calls.length) {
    let end = begin + 1;
    while (end < calls.length && methodOf(calls[end]) === methodOf(calls[begin])) end += 1;
    await runBeside(calls, answers, { begin, end });
    begin = end;
  }
  return answers;
}

const methodOf = (call: BatchCall | undefined): string => (call && !(call instanceof Error) ? call.method : '');

async function runBeside(
  calls: readonly BatchCall[],
  answers: (Answer | Error)[],
  { begin, end }: { begin: number; end: number },
): Promise<void> {
  let next = begin;
  const work = async (): Promise<void> => {
    while (next < end) {
      const i = next;
      next += 1;
      answers[i] = await run(calls[i]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, end - begin) }, work));
}

async function run(call: BatchCall | undefined): Promise<Answer | Error> {
  if (call === undefined || call instanceof Error) return call ?? NOTHING;
  try {
    return await call.endpoint.handle(call.call);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
