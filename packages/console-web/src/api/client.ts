import createClient from 'openapi-fetch';
import { readJson, writeJson } from './exact-json';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** Everything that changes something says that a page of the console sends it. */
const client = createClient<paths>({
  baseUrl: '',
  headers: { 'x-pushfleet-console': '1' },
  bodySerializer: writeJson,
});

type Client = typeof client;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type AskForText = (path: string, asked?: object) => Promise<Raw<string>>;

/** As the library has it, but the answer keeps every digit: its own way to read one rounds long integers. */
function exactly<M extends Method>(method: M): Client[M] {
  const askForText = client[method] as unknown as AskForText;
  const askExactly = async (path: string, asked?: object): Promise<Raw<unknown>> => {
    const answer = await askForText(path, { ...asked, parseAs: 'text' });
    return { ...answer, data: answer.data ? readJson(answer.data) : undefined };
  };
  return askExactly as unknown as Client[M];
}

export const api: Client = {
  ...client,
  GET: exactly('GET'),
  POST: exactly('POST'),
  PUT: exactly('PUT'),
  PATCH: exactly('PATCH'),
  DELETE: exactly('DELETE'),
};

interface Detail {
  readonly path: string;
  readonly message: string;
}

/** What the API refused, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly Detail[],
  ) {
    super(message);
  }

  /** For the field of a form; undefined where nothing is wrong with it. */
  at(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))?.message;
  }
}

interface Raw<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer, or an `ApiError`. */
export async function ask<T>(call: Promise<Raw<T>>): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new ApiError(0, cause instanceof Error ? cause.message : String(cause), []);
  });
  if (response.ok && data !== undefined) return data;
  const problem = (typeof error === 'object' ? error : {}) as { error?: string; details?: readonly Detail[] };
  throw new ApiError(response.status, problem.error ?? `HTTP ${response.status}`, problem.details ?? []);
}

export const errorOf = (error: unknown): ApiError | undefined => (error instanceof ApiError ? error : undefined);
