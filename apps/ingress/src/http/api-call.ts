import { checkJsonLevels, type Json } from '@pushfleet/domain';
import { type RouteName } from '../metrics';
import { type Answer } from './answer';
import { type Authenticate, type Caller } from './authenticate';
import { type Endpoint } from './endpoint';
import { paramOf, pathOf, type HttpRequest } from './http-request';
import { queryOf } from './query';
import { parseJson } from './read-body';

/** A call of the 1.1 API, a request of its own or one of many in a batch. */
export interface ApiCall {
  readonly caller: Caller;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Value of the X-LC-Prod header. */
  readonly prodHeader: string | undefined;
  /** A named part of the path. */
  param(name: string): string;
  /** What the caller sent; throws `InvalidInput` when it is not JSON. */
  json(): Json;
}

type BodyLevels = 'jsonLevels' | 'batchJsonLevels';

/** Answers one kind of call, however it came. */
export interface ApiEndpoint {
  readonly route: RouteName;
  /** Absent: a body is not read, whatever the client sends along. */
  readonly maxBodyBytes?: number;
  readonly deadlineMs?: number;
  /** How deep a body may nest, where its elements are bodies themselves. */
  readonly bodyLevels?: BodyLevels;
  /** Sends something: counts against the calls per minute of the app. */
  readonly isPush?: boolean;
  handle(call: ApiCall): Promise<Answer>;
}

export interface ApiPorts {
  readonly authenticate: Authenticate;
  /** Throws when the app has used up its calls. */
  readonly countCall: (caller: Caller) => Promise<void> | undefined;
}

/** Makes an endpoint of the API one of HTTP: whoever calls is authenticated and counted. */
export function asEndpoint(endpoint: ApiEndpoint, { authenticate, countCall }: ApiPorts): Endpoint {
  const { isPush = false, bodyLevels, ...settings } = endpoint;
  return {
    ...settings,
    async handle(req, text) {
      const caller = await authenticate(req.headers);
      if (isPush) {
        const counted = countCall(caller);
        if (counted) await counted;
      }
      return endpoint.handle(new HttpCall(caller, req, { text, levels: bodyLevels }));
    },
  };
}

class HttpCall implements ApiCall {
  constructor(
    readonly caller: Caller,
    private readonly req: HttpRequest,
    private readonly body: { readonly text: string; readonly levels: BodyLevels | undefined },
  ) {}

  get path(): string {
    return pathOf(this.req);
  }
  get query(): URLSearchParams {
    return queryOf(this.req);
  }
  get prodHeader(): string | undefined {
    const header = this.req.headers['x-lc-prod'];
    return typeof header === 'string' ? header : undefined;
  }
  param(name: string): string {
    return paramOf(this.req, name);
  }
  json(): Json {
    checkJsonLevels(this.body.text, this.body.levels);
    return parseJson(this.body.text);
  }
}
