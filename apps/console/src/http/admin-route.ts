import { parse } from 'node:querystring';
import { InvalidInput, LIMITS, type Json } from '@pushfleet/domain';
import {
  paramOf,
  type Answer,
  type Endpoint,
  type Exchange,
  type HttpRequest,
  type Method,
} from '@pushfleet/http-edge';
import type { AuditChanges, FleetProcess } from '@pushfleet/store';
import type { DearReads } from '../dear-reads';
import { changesOf, type Audit } from './audit';
import { authorise, type Access, type Caller } from './access';
import type { Authenticate } from './authenticate';
import { refuseOtherSites } from './browser-guard';
import { withPending } from '../settle-settings';
import { Problem } from './problem';

/** Where all of the API is. */
export const API = '/api/v1';

/** A call of the API, once it is known that it may be made. */
export interface AdminCall<Param extends string = string> {
  readonly caller: Caller;
  readonly req: HttpRequest;
  readonly params: Readonly<Record<Param, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** An object or a list; where nothing was sent, an empty object. */
  readonly body: unknown;
  /** Aborted when nobody waits for the answer any more. */
  signal(): AbortSignal;
  /** Throws when the caller may not make the call any more; asked while one is served for long. */
  judgeAgain(): Promise<void>;
  /** Runs a further part of a dear read when it is the turn of its caller. */
  inTurn<T>(part: () => Promise<T>): Promise<T>;
  /**
   * Tells the audit log what was and what is; nothing secret. Called when the change is made: the log has it from then on, also
   * where no answer comes about. Of a call without it the log tells once there is an answer.
   */
  changed(before: object, after: object): void;
}

/** What an operation takes from its caller, beside the address. */
export interface Taking {
  /** Absent: a body is not read. */
  readonly maxBodyBytes?: number;
  readonly bodyLevels?: Endpoint<void>['bodyLevels'];
  readonly deadlineMs?: number;
  /** It looks at many records: those of one caller are served one after the other, in turn with those of others. */
  readonly isDear?: true;
  /** False for what the audit log does not tell of; `by-hand` for what it tells of only when a page of the console does it. */
  readonly audited?: false | 'by-hand';
}

/** One row of the table that the router and the tests read; the reference tells whom it is for. */
export interface AdminRoute extends Taking {
  readonly method: Method;
  /** Below the root of the API; parts that begin with a colon are parameters. */
  readonly path: string;
  readonly handle: (call: AdminCall) => Promise<Answer>;
}

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Row = <Path extends string>(
  path: Path,
  handle: (call: AdminCall<ParamsOf<Path>>) => Promise<Answer>,
  taking?: Taking,
) => AdminRoute;

const row =
  (method: Method, usual: Taking): Row =>
  (path, handle, taking) => ({ method, path, ...usual, ...taking, handle });

/** For work that an operator waits for. */
export const LONG: Taking = { deadlineMs: 300_000 };
export const DEAR: Taking = { isDear: true };
const JSON_BODY: Taking = { maxBodyBytes: LIMITS.adminBytes.value };

export const get = row('GET', {});
export const remove = row('DELETE', {});
export const put = row('PUT', JSON_BODY);
export const post = row('POST', JSON_BODY);
export const patch = row('PATCH', JSON_BODY);
/** Operations that the address says everything about. */
export const act = row('POST', {});
export const mark = row('PUT', {});

/** A Redis that hangs fails each command by itself; many of them may follow each other. */
const DEADLINE_MS = 60_000;

/** What the table of operations says of one. */
export interface Guarded {
  /** As the reference calls it. */
  readonly id: string;
  /** Undefined: anybody. */
  readonly access: Access | undefined;
  /** It is answered when every process works with what it changed. */
  readonly settles?: true;
}

/** Of those who sign in: nobody yet. */
const NOBODY: Caller = { by: 'nobody', role: 'viewer', apps: [] };

export interface Guards {
  readonly authenticate: Authenticate;
  readonly reauthenticate: Authenticate;
  readonly audit: Audit;
  readonly dearReads: DearReads;
  /** Resolves with the processes that did not say in time that they know what changed. */
  readonly settle: () => Promise<readonly FleetProcess[]>;
  readonly operationOf: (route: AdminRoute) => Guarded;
}

export const isAudited = ({ method, audited }: AdminRoute): boolean => method !== 'GET' && audited === undefined;

/** Programs present a token; a person who does the same in a page is one of few. */
const isByHand = ({ method, audited }: AdminRoute, { headers }: HttpRequest): boolean =>
  method !== 'GET' && audited === 'by-hand' && headers.authorization === undefined;

/** Makes a row an endpoint of the edge: its caller is known and may do it, and its body is JSON, before it runs. */
export function asEndpoint(route: AdminRoute, guards: Guards): Endpoint<Caller> {
  const { authenticate, reauthenticate, audit, settle, operationOf, dearReads } = guards;
  const { method, path, maxBodyBytes, bodyLevels, deadlineMs = DEADLINE_MS, isDear = false } = route;
  const { id: action, access, settles } = operationOf(route);
  return {
    route: `${method} ${path}`,
    deadlineMs,
    bodyLevels,
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
    // Who has not signed in yet takes no room from those who have.
    payerOf: ({ by }) => ({ account: by }),
    async admit(req) {
      const caller = access ? await authenticate(req) : stranger(req);
      if (access) authorise(caller, access, paramOf(req, 'id'));
      if (maxBodyBytes !== undefined) requireJson(req);
      return caller;
    },
    async handle(exchange) {
      const made: (AuditChanges | undefined)[] = [];
      const changed: AdminCall['changed'] = (before, after) => void made.push(changesOf(before, after));
      const { req, caller } = exchange;
      const judgeAgain = async (): Promise<void> => {
        if (access) authorise(await reauthenticate(req), access, paramOf(req, 'id'));
      };
      const tell = async (): Promise<void> => {
        if (isAudited(route) || isByHand(route, req))
          await audit(req, { by: caller.by, action, target: targetOf(route, req), changes: made.at(-1) });
      };
      const inTurn = <T>(part: () => Promise<T>): Promise<T> => dearReads.run(exchange, part);
      const serve = (): Promise<Answer> => route.handle({ ...callOf(exchange), changed, judgeAgain, inTurn });
      const answer = await (isDear ? inTurn(serve) : serve()).catch(async (error: unknown) => {
        // The error is what is answered, whatever else fails meanwhile.
        if (made.length > 0) await Promise.allSettled([tell(), settles && settle()]);
        throw error;
      });
      await tell();
      return settles ? withPending(answer, await settle()) : answer;
    },
  };
}

function stranger(req: HttpRequest): Caller {
  refuseOtherSites(req);
  return NOBODY;
}

/** In one spelling: the router takes letters of any case, a slash at the end, and what is written as %xx needlessly. */
const targetOf = ({ path }: AdminRoute, req: HttpRequest): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(paramOf(req, name)));

function callOf({
  req,
  caller,
  body,
  json,
  signal,
}: Exchange<Caller>): Omit<AdminCall, 'changed' | 'judgeAgain' | 'inTurn'> {
  return {
    req,
    caller,
    params: (req.params ?? {}) as Readonly<Record<string, string>>,
    query: queryOf(req),
    body: body.length === 0 ? {} : containerOf(json()),
    signal,
  };
}

function queryOf({ url = '' }: HttpRequest): Readonly<Record<string, unknown>> {
  const mark = url.indexOf('?');
  return mark < 0 ? {} : parse(url.slice(mark + 1));
}

function requireJson({ headers }: HttpRequest): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (isEmpty || type.trim().toLowerCase() === 'application/json') return;
  throw new Problem('unsupported-type', 'the body must be JSON: send "Content-Type: application/json"');
}

function containerOf(value: Json): object {
  if (typeof value !== 'object' || value === null) throw new InvalidInput('malformed-json', 'the body is not JSON');
  return value;
}
