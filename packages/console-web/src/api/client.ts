import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** Everything that changes something says that a page of the console sends it. */
export const api = createClient<paths>({ baseUrl: '', headers: { 'x-pushfleet-console': '1' } });

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
