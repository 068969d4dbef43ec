import { readJson, writeJson } from '@pushfleet/domain';
import { z } from 'zod';
import type { CliConfig, SenderConfig } from './config';
import { RequestError, systemCode, UsageError } from './errors';

export interface Api {
  /** The JSON answer; throws `RequestError` for any other. `path` segments are given unescaped. */
  request(method: Method, path: readonly string[], options?: RequestOptions): Promise<unknown>;
}

/** A service that answers in JSON, in the words of its errors. */
interface Door {
  readonly url: string;
  /** What comes before every path. */
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly name: string;
  /** The variable that holds its address. */
  readonly setting: string;
  /** Of an answer that the caller is nobody. */
  readonly rejection: string;
  /** The statuses of an answer that will be another later. */
  readonly passing: readonly number[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The body as JSON, for one that is written already. */
  readonly bodyText?: string;
  /** Ends the request when nobody wants its answer any more. */
  readonly signal?: AbortSignal;
}

/** Who looks at the fleet waits for the vendors of two looks, 20 s each, as the pages of the console do. */
const TIMEOUT_MS = 45_000;

export const openApi = ({ url, token }: CliConfig): Api =>
  openDoor({
    url,
    root: '/api/v1',
    name: 'the console',
    setting: 'PUSHFLEET_URL',
    headers: { authorization: `Bearer ${token}` },
    rejection: `the token was rejected: ADMIN_TOKEN is not the token of ${url}`,
    passing: [503],
  });

/** The API that senders call, by the master key of their app. */
export const openSenderApi = ({ ingressUrl: url, id, masterKey }: SenderConfig): Api =>
  openDoor({
    url,
    root: '/1.1',
    name: 'the push API',
    setting: 'PUSHFLEET_INGRESS_URL',
    headers: { 'x-lc-id': id, 'x-lc-key': `${masterKey},master` },
    rejection: `the app was rejected: ${url} knows no app of this id with this master key`,
    passing: [429, 503],
  });

const openDoor = (door: Door): Api => ({
  async request(method, path, { query = {}, body, bodyText = textOf(body), signal } = {}) {
    const url = new URL(`${door.url}${door.root}/${path.map((segment) => segmentOf(segment, path)).join('/')}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const end = openEnd(signal);
    try {
      const response = await send(door, url, {
        method,
        redirect: 'manual',
        signal: end.signal,
        headers: { ...door.headers, ...(bodyText === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(bodyText === undefined ? {} : { body: bodyText }),
      });
      const answer = await readAnswer(door, response);
      if (response.ok) return answer;
      throw isOtherServer(path, response) ? otherServer(door, path) : refusal(door, response, answer);
    } finally {
      end.close();
    }
  },
});

/** Comes with the time for an answer, or with the signal; what `AbortSignal.any` makes may lose a timeout to the garbage collector. */
function openEnd(signal: AbortSignal | undefined): { readonly signal: AbortSignal; close(): void } {
  const end = new AbortController();
  const stop = (): void => end.abort(signal?.reason);
  const timer = setTimeout(() => end.abort(new DOMException('no answer', 'TimeoutError')), TIMEOUT_MS);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return {
    signal: end.signal,
    close() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

/** One that leads to another path, whose owner nobody meant, is never sent. */
function segmentOf(segment: string, path: readonly string[]): string {
  if (isSegment(segment)) return encodeURIComponent(segment);
  throw new UsageError(`${JSON.stringify(segment)} is no name and no id, in ${path.join('/')}`);
}

/** Whether a path that it stands in leads to what it names: those of dots are taken for folders. */
export const isSegment = (text: string): boolean => !['', '.', '..'].includes(text);

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : writeJson(body));

async function send(door: Door, target: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(target, request);
  } catch (cause) {
    throw unreachable(door, cause);
  }
}

const UNREACHABLE_RETRY_MS = 1000;

const unreachable = ({ url, setting, name }: Door, cause: unknown): RequestError =>
  new RequestError(`cannot reach ${url} (${reasonOf(cause)}); set ${setting} to the address of ${name}`, {
    cause,
    retryAfterMs: UNREACHABLE_RETRY_MS,
  });

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Partial<Error>;
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return systemCode(cause) ?? message ?? 'unknown error';
}

async function readAnswer(door: Door, response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw unreachable(door, cause);
  });
  try {
    return readJson(text);
  } catch (cause) {
    const { status } = response;
    throw new RequestError(
      `${door.url} answered HTTP ${status} with something other than JSON: is it the address of ${door.name}?`,
      { cause, ...(AWAY.has(status) ? { status, retryAfterMs: retryAfterOf(response) } : {}) },
    );
  }
}

/** What a proxy answers, in words of its own, while the service behind it is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** One limit is over in a moment, and its answer says when; another is never. */
const isTimed = ({ status, headers }: Response): boolean => status === 429 && headers.has('retry-after');

function retryAfterOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return seconds > 0 ? seconds * 1000 : UNREACHABLE_RETRY_MS;
}

/** A path of one segment names a list or an action, and no object that may be missing. */
const isOtherServer = (path: readonly string[], { status }: Response): boolean => status === 404 && path.length === 1;

const otherServer = ({ url, root, setting, name }: Door, path: readonly string[]): RequestError =>
  new RequestError(
    `${url} has nothing at ${root}/${path.join('/')} (HTTP 404): set ${setting} to the address of ${name}`,
    { status: 404 },
  );

const problemSchema = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

function refusal({ url, name, rejection, passing }: Door, response: Response, answer: unknown): RequestError {
  const { status } = response;
  if (status === 401) return new RequestError(rejection, { status });
  const problem = problemSchema.safeParse(answer);
  const isPassing = passing.includes(status) || isTimed(response) || (!problem.success && AWAY.has(status));
  const options = { status, ...(isPassing ? { retryAfterMs: retryAfterOf(response) } : {}) };
  if (!problem.success) return new RequestError(`${url} answered HTTP ${status}`, options);
  const { error, details } = problem.data;
  if (details.length === 0) return new RequestError(`${error} (HTTP ${status})`, options);
  const lines = details.map(({ path, message }) => `  ${path === '' ? 'body' : path}: ${message}`);
  return new RequestError([`${name} refused this (HTTP ${status}):`, ...lines].join('\n'), options);
}
