import { type Json } from '@pushfleet/domain';
import { acceptedBy, paramOf, pathOf, type Answer, type Endpoint, type Exchange } from '@pushfleet/http-edge';
import { addressOf, networkOf } from '@pushfleet/service-kit';
import { type RouteName } from '../metrics';
import { type Authenticate, type Caller } from './authenticate';
import { openCallerAddress, type CallerAddress } from './caller-address';
import { accountOf, type RunInLane } from './lanes';
import { queryOf } from './query';

/** A call of the 1.1 API, a request of its own or one of many in a batch. */
export interface ApiCall {
  readonly caller: Caller;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Value of the X-LC-Prod header. */
  readonly prodHeader: string | undefined;
  /** Whose calls are counted together; undefined when that cannot be told. */
  readonly address: string | undefined;
  /** Whether the caller names this content type for the answer; an element of a batch names none. */
  accepts(contentType: string): boolean;
  /** A named part of the path. */
  param(name: string): string;
  /** What the caller sent; throws `InvalidInput` when it is not JSON. */
  json(): Json;
  /** Throws when the key of the caller is none any more; asked while a call is served for long. */
  judgeAgain(): Promise<void>;
  /** Aborted when nobody waits for the answer any more; what takes long asks for it. */
  signal(): AbortSignal;
}

/** What a call counts as, an element of a batch like one alone. */
export type CountedAs = 'push' | 'save' | 'query';

/** Answers one kind of call, however it came. */
export interface ApiEndpoint {
  readonly route: RouteName;
  /** Absent: a body is not read, whatever the client sends along. */
  readonly maxBodyBytes?: number;
  readonly deadlineMs?: number;
  /** How deep a body may nest, where its elements are bodies themselves. */
  readonly bodyLevels?: Endpoint<Caller>['bodyLevels'];
  /** Absent: it is not counted. */
  readonly countsAs?: CountedAs;
  /** How many pushes a body counts as for who has no more than the app; absent: one. */
  readonly callsOf?: (body: Json) => number;
  /** Where it waits for its turn; absent: among calls that cost little. */
  readonly lane?: 'query' | 'batch';
  /**
   * Names of what it changes, told by a path and by a body that nobody has looked at yet: of the calls of one batch, those
   * that share a name come one after the other. Absent: it does not matter which of two comes first.
   */
  readonly changes?: (params: Readonly<Record<string, string>>, body: Json) => readonly string[];
  handle(call: ApiCall): Promise<Answer>;
}

export interface ApiPorts {
  readonly authenticate: Authenticate;
  /** The same of a request that is served for long: its signature is as old as the request. */
  readonly reauthenticate: Authenticate;
  readonly runInLane: RunInLane;
  /** Trusted proxies in front. */
  readonly proxyHops: number;
}

/** Makes an endpoint of the API one of HTTP: whoever calls is authenticated, and waits for the turn of the app. */
export function asEndpoint(endpoint: ApiEndpoint, ports: ApiPorts): Endpoint<Caller> {
  const { authenticate, reauthenticate, runInLane, proxyHops } = ports;
  const { countsAs: _, changes: __, callsOf: ___, lane = 'call', ...settings } = endpoint;
  const callerAddress = openCallerAddress(proxyHops);
  return {
    ...settings,
    admit: (req) => authenticate(req.headers),
    payerOf: (caller, req) => ({
      account: accountOf(caller),
      address: caller.isMaster ? undefined : networkOf(addressOf(req, proxyHops)),
    }),
    handle(exchange) {
      const call = new HttpCall(exchange, { callerAddress, reauthenticate });
      return runInLane(lane, call, () => endpoint.handle(call));
    },
  };
}

class HttpCall implements ApiCall {
  constructor(
    private readonly exchange: Exchange<Caller>,
    private readonly ports: { readonly callerAddress: CallerAddress; readonly reauthenticate: Authenticate },
  ) {}

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
  get address(): string | undefined {
    return this.ports.callerAddress(this.exchange.req);
  }
  accepts(contentType: string): boolean {
    return acceptedBy(this.exchange.req.headers.accept).has(contentType);
  }
  param(name: string): string {
    return paramOf(this.exchange.req, name);
  }
  json(): Json {
    return this.exchange.json();
  }
  async judgeAgain(): Promise<void> {
    await this.ports.reauthenticate(this.exchange.req.headers);
  }
  signal(): AbortSignal {
    return this.exchange.signal();
  }
}
