import { jsonIn, writeJson, type AppWithKeys, type Json } from '@pushfleet/domain';
import { Refusal } from '@pushfleet/http-edge';
import { lastingTimeout } from '@pushfleet/service-kit';
import { z } from 'zod';
import { invalidFields, Problem, type ProblemKind } from './http/problem';

/** The push API, asked in the name of an app: there is no second place that takes, plans or cancels a push. */
export interface PushApi {
  /** The answer of a call that went well; throws a `Problem` with the words of the push API for any other. */
  ask(app: Pick<AppWithKeys, 'id' | 'masterKey'>, call: PushApiCall): Promise<PushApiAnswer>;
}

export interface PushApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/1.1`. */
  readonly path: string;
  readonly body?: unknown;
  /** Ends the call when nobody waits for it any more; absent for what goes on all the same. */
  readonly signal?: AbortSignal;
}

export interface PushApiAnswer {
  readonly status: number;
  readonly body: Json;
}

/** Longer than any of its deadlines for what is asked here. */
const TIMEOUT_MS = 15_000;

/** Of a push, chosen by its sender or made: nothing that a path would follow elsewhere. */
const PUSH_ID = /^[\w-]{1,128}$/;

/** Where the push API keeps a push. */
export function placeOf(pushId: string): string {
  if (!PUSH_ID.test(pushId)) throw new Problem('not-found', `${JSON.stringify(pushId)} is no id of a push`);
  return `notifications/${pushId}`;
}

const NO_ADDRESS =
  'the console does not know where it reaches the push API: nothing was done; set INGRESS_URL, because INGRESS_PUBLIC_URL is neither https:// nor a private address';

/** No answer tells what came of a call: it may have been done. */
export class Unclear extends Problem {}

const problemSchema = z.looseObject({ error: z.string() });

/** Without an address every call is refused: a master key goes on no public road in the clear. */
export const openPushApi = (url: string | undefined): PushApi => ({
  async ask({ id, masterKey }, { method, path, body, signal }) {
    if (url === undefined) throw new Problem('unavailable', NO_ADDRESS);
    const timeout = lastingTimeout(TIMEOUT_MS);
    const response = await sent(url, path, {
      method,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: { 'x-lc-id': id, 'x-lc-key': `${masterKey},master`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: writeJson(body as Json) }),
    });
    const answer = response.ok ? jsonIn(response.text) : undefined;
    if (answer === undefined) throw refusalOf(response);
    return { status: response.status, body: answer };
  },
});

interface Received extends Pick<Response, 'status' | 'ok'> {
  readonly text: string;
  readonly retryAfterSeconds: number | undefined;
}

async function sent(url: string, path: string, request: RequestInit): Promise<Received> {
  try {
    const response = await fetch(`${url}/1.1/${path}`, request);
    const { status, ok, headers } = response;
    const seconds = Number(headers.get('retry-after') ?? NaN);
    return { status, ok, text: await response.text(), retryAfterSeconds: seconds > 0 ? seconds : undefined };
  } catch (cause) {
    throw unanswered(cause);
  }
}

/** Nobody listens there: the call cannot have had an effect. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

const MAY_BE_DONE = 'it may have been done; a push that is repeated with the same req_id is sent once';

function unanswered(cause: unknown): Problem {
  const { code } = (cause as { readonly cause?: { readonly code?: unknown } }).cause ?? {};
  const isSure = typeof code === 'string' && NOT_SENT.has(code);
  if (!isSure) return new Unclear('unavailable', `the push API did not answer: ${MAY_BE_DONE}`);
  return new Problem('unavailable', 'the push API cannot be reached: nothing was done. Is INGRESS_URL right?');
}

/** Refusals that mean the same to a caller of this API. */
const KINDS: Readonly<Record<number, ProblemKind>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'not-found',
  413: 'too-large',
  429: 'too-many-calls',
};

function refusalOf({ status, text, retryAfterSeconds }: Received): Refusal<ProblemKind> {
  if (status === 401)
    return new Problem(
      'unavailable',
      'the push API does not know this app or its master key yet: nothing was done. Is INGRESS_URL right?',
    );
  const { data } = problemSchema.safeParse(jsonIn(text));
  const kind = KINDS[status];
  if (!data || kind === undefined)
    return new Unclear('unavailable', `the push API answered ${status}: ${data?.error ?? MAY_BE_DONE}`);
  const [, path, message] = /^([\w$.-]{1,128}): ([^]+)$/.exec(data.error) ?? [];
  if (kind === 'invalid' && path !== undefined && message !== undefined) return invalidFields([{ path, message }]);
  return new Refusal(kind, data.error, retryAfterSeconds);
}
