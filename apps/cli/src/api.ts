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
}

const TIMEOUT_MS = 30_000;

export const openApi = ({ url, token }: CliConfig): Api =>
  openDoor({
    ...{ url, root: '/api/v1', name: 'the console', setting: 'PUSHFLEET_URL' },
    headers: { authorization: `Bearer ${token}` },
    rejection: `the token was rejected: ADMIN_TOKEN is not the token of ${url}`,
    passing: [503],
  });

/** The API that senders call, by the master key of their app. */
export const openSenderApi = ({ ingressUrl: url, id, masterKey }: SenderConfig): Api =>
  openDoor({
    ...{ url, root: '/1.1', name: 'the push API', setting: 'PUSHFLEET_INGRESS_URL' },
    headers: { 'x-lc-id': id, 'x-lc-key': `${masterKey},master` },
    rejection: `the app was rejected: ${url} knows no app of this id with this master key`,
    passing: [429, 503],
  });

const openDoor = (door: Door): Api => ({
  async request(method, path, { query = {}, body, bodyText = textOf(body) } = {}) {
    const url = new URL(`${door.url}${door.root}/${path.map((segment) => segmentOf(segment, path)).join('/')}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const response = await send(door, url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...door.headers, ...(bodyText === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(bodyText === undefined ? {} : { body: bodyText }),
    });
    const answer = await readAnswer(door, response);
    if (response.ok) return answer;
    throw refusal(door, response, answer);
  },
});

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
    throw new RequestError(
      `${door.url} answered HTTP ${response.status} with something other than JSON: is it the address of ${door.name}?`,
      { cause },
    );
  }
}

const problemSchema = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

function refusal(
  { url, name, rejection, passing }: Door,
  { status, headers }: Response,
  answer: unknown,
): RequestError {
  if (status === 401) return new RequestError(rejection, { status });
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const retryAfterMs = seconds > 0 ? seconds * 1000 : UNREACHABLE_RETRY_MS;
  const options = { status, ...(passing.includes(status) ? { retryAfterMs } : {}) };
  const problem = problemSchema.safeParse(answer);
  if (!problem.success) return new RequestError(`${url} answered HTTP ${status}`, options);
  const { error, details } = problem.data;
  if (details.length === 0) return new RequestError(`${error} (HTTP ${status})`, options);
  const lines = details.map(({ path, message }) => `  ${path === '' ? 'body' : path}: ${message}`);
  return new RequestError([`${name} refused this (HTTP ${status}):`, ...lines].join('\n'), options);
}
