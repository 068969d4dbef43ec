import createClient from 'openapi-fetch';
import { readJson, writeJson } from './exact-json';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** Longer than a console takes that is there; a connection that died says nothing for minutes. */
const READ_MS = 20_000;
/** The console itself may wait for the push API or a vendor, and who looks at the fleet for the vendors of two looks. */
const LONG_MS = 45_000;

const isQuick = ({ method, url }: Request): boolean => method === 'GET' && !url.endsWith('/doctor');

/** As the browser does, but neither the answer nor the rest of it is waited for without end. */
function fetchInTime(request: Request): Promise<Response> {
  const late = new AbortController();
  const isLate = (): void => late.abort(new DOMException('no answer in time', 'TimeoutError'));
  setTimeout(isLate, isQuick(request) ? READ_MS : LONG_MS);
  return fetch(request, { signal: AbortSignal.any([request.signal, late.signal]) });
}

/** Everything that changes something says that a page of the console sends it. */
const client = createClient<paths>({
  baseUrl: '',
  fetch: fetchInTime,
  headers: { 'x-pushfleet-console': '1' },
  bodySerializer: writeJson,
});

type Client = typeof client;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type AskForText = (path: string, asked?: object) => Promise<Raw<string>>;

/** Asked by POST, and asked twice it does no more than once. */
const QUESTION = /\/(preflight|test|session|session\/oidc)$/;

/** As the library has it, but the answer keeps every digit: its own way to read one rounds long integers. */
function exactly<M extends Method>(method: M): Client[M] {
  const askForText = client[method] as unknown as AskForText;
  const askExactly = async (path: string, asked?: object): Promise<Raw<unknown>> => {
    const isChange = method !== 'GET' && !(method === 'POST' && QUESTION.test(path));
    try {
      const answer = await askForText(path, { ...asked, parseAs: 'text' });
      return { ...answer, isChange, data: answer.data ? readJson(answer.data) : undefined };
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw isChange ? new UnclearError(0, message) : new ApiError(0, message);
    }
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

/** What the API refused, in its own words; without details where the words are not of the API. */
export class ApiError extends Error {
  /** It may have been done all the same. */
  readonly isUnclear: boolean = false;

  constructor(
    /** 0 where no answer came that can be read. */
    readonly status: number,
    message: string,
    private readonly answered?: { readonly code: number | undefined; readonly details: readonly Detail[] },
  ) {
    super(message);
  }

  get isAnswer(): boolean {
    return this.answered !== undefined;
  }

  /** Of the API, for what is wrong. */
  get code(): number | undefined {
    return this.answered?.code;
  }

  /** Each thing that is wrong, with the path of its field; '' is the whole. */
  get wrongs(): readonly Detail[] {
    const { details = [] } = this.answered ?? {};
    return details.length > 0 ? details : [{ path: '', message: this.message }];
  }

  /** For the field of a form; undefined where nothing is wrong with it. */
  at(path: string): string | undefined {
    return this.answered?.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))?.message;
  }
}

class UnclearError extends ApiError {
  override readonly isUnclear = true;
}

interface Raw<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
  /** What was asked for changes something. */
  readonly isChange?: boolean;
}

interface Problem {
  readonly code?: number;
  readonly error?: string;
  readonly details?: readonly Detail[];
}

/** The answer, or an `ApiError`. */
export async function ask<T>(call: Promise<Raw<T>>): Promise<T> {
  const { data, error, response, isChange = false } = await call;
  const { ok, status } = response;
  if (ok && data !== undefined) return data;
  const { code, error: words, details = [] } = (typeof error === 'object' ? error : {}) as Problem;
  const Kind = isChange && mayBeDone(status, words) ? UnclearError : ApiError;
  throw words === undefined ? new Kind(status, `HTTP ${status}`) : new Kind(status, words, { code, details });
}

/** What the API says where it is sure. */
const NOTHING_DONE = /nothing was done/i;

/** What went well says so; a proxy answers 408 as it answers 504. */
const mayBeDone = (status: number, words = ''): boolean =>
  (status < 300 || status === 408 || status >= 500) && !NOTHING_DONE.test(words);

export const errorOf = (error: unknown): ApiError | undefined => (error instanceof ApiError ? error : undefined);
