import { type Json } from '@pushfleet/domain';
import { paramOf, parseJson, pathOf, type Answer, type Endpoint, type Exchange } from '@pushfleet/http-edge';
import { addressOf, networkOf } from '@pushfleet/service-kit';
import { type RouteName } from '../metrics';
import { type Authenticate, type Caller } from './authenticate';
import { queryOf } from './query';

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
  /** Aborted when nobody waits for the answer any more; what takes long asks for it. */
  signal(): AbortSignal;
}

/** Answers one kind of call, however it came. */
export interface ApiEndpoint {
  readonly route: RouteName;
  /** Absent: a body is not read, whatever the client sends along. */
  readonly maxBodyBytes?: number;
  readonly deadlineMs?: number;
  /** How deep a body may nest, where its elements are bodies themselves. */
  readonly bodyLevels?: Endpoint<Caller>['bodyLevels'];
  /** Sends something: counts against the calls per minute of the app. */
  readonly isPush?: boolean;
  handle(call: ApiCall): Promise<Answer>;
}

export interface ApiPorts {
  readonly authenticate: Authenticate;
  /** Throws when the app has used up its calls. */
  readonly countCall: (caller: Caller) => Promise<void> | undefined;
  /** Trusted proxies in front. */
  readonly proxyHops: number;
}

/** Makes an endpoint of the API one of HTTP: whoever calls is authenticated and counted. */
export function asEndpoint(endpoint: ApiEndpoint, { authenticate, countCall, proxyHops }: ApiPorts): Endpoint<Caller> {
  const { isPush = false, ...settings } = endpoint;
  return {
    ...settings,
    async admit(req) {
      const caller = await authenticate(req.headers);
      if (isPush) {
        const counted = countCall(caller);
        if (counted) await counted;
      }
      return caller;
    },
    payerOf: ({ app, isMaster }, req) =>
      isMaster ? { account: `${app.id},master` } : { account: app.id, address: networkOf(addressOf(req, proxyHops)) },
    handle: (exchange) => endpoint.handle(new HttpCall(exchange)),
  };
}

class HttpCall implements ApiCall {
  constructor(private readonly exchange: Exchange<Caller>) {}

  get caller(): Caller {
    return this.exchange.caller;
  }
  get path(): string {
    return pathOf(this.exchange.req);
  }
  get query(): URLSearchParams {
    return queryOf(this.exchange.req);
  }
  get prodHeader(): string | undefined {
    const header = this.exchange.req.headers['x-lc-prod'];
    return typeof header === 'string' ? header : undefined;
  }
  param(name: string): string {
    return paramOf(this.exchange.req, name);
  }
  json(): Json {
    return parseJson(this.exchange.body.toString('utf8'));
  }
  signal(): AbortSignal {
    return this.exchange.signal();
  }
}
