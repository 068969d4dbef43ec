import { readJson, writeJson } from '@pushfleet/domain';
import { z } from 'zod';
import type { CliConfig } from './config';
import { RequestError, systemCode } from './errors';

export interface Api {
  /** The console's JSON answer; throws `RequestError` for any other. `path` segments are given unescaped. */
  request(method: Method, path: readonly string[], options?: RequestOptions): Promise<unknown>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The body as JSON, for one that is written already. */
  readonly bodyText?: string;
}

const TIMEOUT_MS = 30_000;

export function openApi(config: CliConfig): Api {
  return {
    async request(method, path, { query = {}, body, bodyText = textOf(body) } = {}) {
      const url = new URL(`${config.url}/api/v1/${path.map(encodeURIComponent).join('/')}`);
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
      const response = await send(config, url, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${config.token}`,
          ...(bodyText === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(bodyText === undefined ? {} : { body: bodyText }),
      });
      const answer = await readAnswer(config, response);
      if (response.ok) return answer;
      throw refusal(config, response, answer);
    },
  };
}

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : writeJson(body));

async function send({ url }: CliConfig, target: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(target, request);
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

const UNREACHABLE_RETRY_MS = 1000;

const unreachable = (url: string, cause: unknown): RequestError =>
  new RequestError(`cannot reach ${url} (${reasonOf(cause)}); set PUSHFLEET_URL to the console's address`, {
    cause,
    retryAfterMs: UNREACHABLE_RETRY_MS,
  });

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Partial<Error>;
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return systemCode(cause) ?? message ?? 'unknown error';
}

async function readAnswer({ url }: CliConfig, response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw unreachable(url, cause);
  });
  try {
    return readJson(text);
  } catch (cause) {
    throw new RequestError(
      `${url} answered HTTP ${response.status} with something other than JSON: is it the address of the console?`,
      { cause },
    );
  }
}

const problemSchema = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

function refusal({ url }: CliConfig, { status, headers }: Response, answer: unknown): RequestError {
  if (status === 401) return new RequestError(`the token was rejected: ADMIN_TOKEN is not the token of ${url}`);
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const retryAfterMs = seconds > 0 ? seconds * 1000 : UNREACHABLE_RETRY_MS;
  const options = { status, ...(status === 503 ? { retryAfterMs } : {}) };
  const problem = problemSchema.safeParse(answer);
  if (!problem.success) return new RequestError(`${url} answered HTTP ${status}`, options);
  const { error, details } = problem.data;
  if (details.length === 0) return new RequestError(`${error} (HTTP ${status})`, options);
  const lines = details.map(({ path, message }) => `  ${path === '' ? 'body' : path}: ${message}`);
  return new RequestError([`the console refused this (HTTP ${status}):`, ...lines].join('\n'));
}
