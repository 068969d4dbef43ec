import { isJsonObject, LIMITS, overLimit, type Json } from '@pushfleet/domain';
import { elementsOf, type BatchElement } from '../batch-elements';
import { NOTHING, type Answer } from '@pushfleet/http-edge';
import { Rounds } from '@pushfleet/store';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { type RunInLane } from '../http/lanes';
import { openRouteFinder, type ApiRoute } from '../http/api-routes';
import { callsOf, inRounds, runCalls, type BatchCall } from '../run-batch';

/** Of ten thousand elements, each a command or more. */
const DEADLINE_MS = 120_000;

export interface BatchPorts {
  /** What elements may ask for. */
  readonly routes: readonly ApiRoute[];
  readonly runInLane: RunInLane;
  /** The answer to what went wrong, which is logged when it is our fault. */
  readonly refuse: (error: Error) => Answer;
  /** Called for every push of a batch with its answer, which is hidden in the 200 of the batch. */
  readonly onPush: (route: string, status: number) => void;
}

export interface BatchEndpoints {
  readonly batch: ApiEndpoint;
  readonly save: ApiEndpoint;
}

/** Many requests in one body, each with the rights and within the limits of its caller. */
export function batchEndpoints(ports: BatchPorts): BatchEndpoints {
  const findRoute = openRouteFinder(ports.routes);
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
    const answers = await runCalls(calls, { signal: call.signal(), runInLane: ports.runInLane, rounds });
    return calls.map((asked, i): Answered => ({ asked, answer: answers[i] ?? NOTHING }));
  };
  return {
    batch: {
      ...settings,
      async handle(call) {
        const answered = await runAll(call, elementsOf(call.json()));
        const texts = await inRounds(rounds, answered, (each) => textOf(each, ports));
        return { status: 200, body: `[${texts.join(',')}]` };
      },
    },
    save: {
      ...settings,
      async handle(call) {
        const elements = elementsOf(call.json());
        const answers = (await runAll(call, elements)).map(({ answer }) => answer);
        const failed = answers.find((answer) => answer instanceof Error);
        if (failed) throw failed;
        // Elements of one internal id save one object: the last answer is how it stands.
        const bodies = new Map(elements.map((element, i) => [internalIdOf(element, i), bodyOf(answers[i])]));
        const entries = [...bodies].map(([internalId, body]) => `${JSON.stringify(internalId)}:${body}`);
        return { status: 200, body: `{${entries.join(',')}}` };
      },
    },
  };
}

interface Answered {
  readonly asked: BatchCall;
  readonly answer: Answer | Error;
}

const isPush = (call: BatchCall): call is Exclude<BatchCall, Error> =>
  !(call instanceof Error) && call.endpoint.countsAs === 'push';

function textOf({ asked, answer }: Answered, { refuse, onPush }: Pick<BatchPorts, 'refuse' | 'onPush'>): string {
  const isRefused = answer instanceof Error;
  const { status, body, isNothing } = isRefused ? refuse(answer) : answer;
  if (isPush(asked)) onPush(asked.endpoint.route, status);
  if (isRefused) return `{"error":${body}}`;
  return `{"success":${isNothing === true ? 'null' : body}}`;
}

/** The 4.x Android SDK finds each answer under the internal id that it sent along. */
function internalIdOf(element: BatchElement | Error, i: number): string {
  const body: Json | undefined = element instanceof Error ? undefined : element.body;
  return isJsonObject(body) && typeof body['__internalId'] === 'string' ? body['__internalId'] : String(i);
}

const bodyOf = (answer: Answer | Error | undefined): string =>
  answer && !(answer instanceof Error) ? answer.body : '{}';
