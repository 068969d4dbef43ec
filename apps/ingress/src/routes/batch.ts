import { isJsonObject, LIMITS, overLimit, type Json } from '@pushfleet/domain';
import { elementsOf, type BatchElement } from '../batch-elements';
import { Rounds } from '@pushfleet/store';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { openRouteFinder, type ApiRoute } from '../http/api-routes';
import { callsOf, isPush, runCalls, type BatchAnswer, type RunOptions } from '../run-batch';

/** Of ten thousand elements, each a command or more. */
const DEADLINE_MS = 120_000;

export interface BatchPorts extends Pick<RunOptions, 'runInLane' | 'refuse' | 'onPush'> {
  /** What elements may ask for. */
  readonly routes: readonly ApiRoute[];
}

export interface BatchEndpoints {
  readonly batch: ApiEndpoint;
  readonly save: ApiEndpoint;
}

/** Many requests in one body, each with the rights and within the limits of its caller. */
export function batchEndpoints({ routes, ...ports }: BatchPorts): BatchEndpoints {
  const findRoute = openRouteFinder(routes);
  const rounds = new Rounds();
  const settings = {
    route: 'batch',
    lane: 'batch',
    maxBodyBytes: LIMITS.batchBytes.value,
    bodyLevels: 'batchJsonLevels',
    deadlineMs: DEADLINE_MS,
  } as const;
  const runAll = async (call: ApiCall, elements: ReturnType<typeof elementsOf>) => {
    const calls = await callsOf(elements, call, { findRoute, rounds });
    if (calls.filter(isPush).length > LIMITS.batchPushes.value) throw overLimit('batchPushes', 'requests: may hold');
    return runCalls(calls, { ...ports, signal: call.signal(), rounds });
  };
  return {
    batch: {
      ...settings,
      async handle(call) {
        const answers = await runAll(call, elementsOf(call.json()));
        return { status: 200, body: `[${answers.map(textOf).join(',')}]` };
      },
    },
    save: {
      ...settings,
      async handle(call) {
        const elements = elementsOf(call.json());
        const answers = await runAll(call, elements);
        const refused = answers.find(({ isRefused }) => isRefused);
        if (refused) return refused.answer;
        // Elements of one internal id save one object: the last answer is how it stands.
        const bodies = new Map(answers.map(({ answer }, i) => [internalIdOf(elements[i], i), answer.body]));
        const entries = [...bodies].map(([internalId, body]) => `${JSON.stringify(internalId)}:${body}`);
        return { status: 200, body: `{${entries.join(',')}}` };
      },
    },
  };
}

function textOf({ answer: { body, isNothing }, isRefused }: BatchAnswer): string {
  if (isRefused) return `{"error":${body}}`;
  return `{"success":${isNothing === true ? 'null' : body}}`;
}

/** The 4.x Android SDK finds each answer under the internal id that it sent along. */
function internalIdOf(element: BatchElement | Error | undefined, i: number): string {
  const body: Json | undefined = element instanceof Error ? undefined : element?.body;
  return isJsonObject(body) && typeof body['__internalId'] === 'string' ? body['__internalId'] : String(i);
}
