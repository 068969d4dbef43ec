import express, { type Request, type RequestHandler, type Response } from 'express';
import { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { ROUTED, type Routed } from '@pushfleet/service-kit';
import { type Answer } from './answer';
import { type Edge, type Endpoint } from './edge';
import { pathOf, type HttpRequest } from './http-request';
import { MethodRefusal } from './refusal';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One row of the table of a service: the router, the answer to a wrong method and the reference are made from it. */
export interface Route {
  readonly method: Method;
  /** Parts that begin with a colon are parameters. */
  readonly path: string;
  readonly serve: RequestListener;
}

export interface RouterOptions {
  readonly edge: Edge;
  readonly routes: readonly Route[];
  /** What a request for an address that no row has is refused with. */
  readonly nowhere: (req: HttpRequest) => Error;
  /** Rejects for who may not learn what is at an address; absent where everybody may. */
  readonly admit?: (req: HttpRequest) => Promise<unknown>;
  /** Answers OPTIONS at every address; absent where no browser may call from elsewhere. */
  readonly preflight?: (headers: IncomingHttpHeaders) => Answer;
}

/** The rows of a table as one listener. */
export function openRouter(options: RouterOptions): RequestListener {
  const { edge, routes, nowhere } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const fixed = new Map<string, RequestListener>();
  for (const route of routes) {
    const { method, path } = route;
    const serve = told(path, route.serve);
    app[method.toLowerCase() as Lowercase<Method>](path, serve);
    if (!path.includes(':')) fixed.set(`${method} ${path}`, serve);
  }
  for (const [path, methods] of methodsByPath(routes)) {
    const refusal = new MethodRefusal(methods);
    app.all(path, told(path, edge.serve(refusing(() => refusal, options))));
  }
  app.use(edge.serve(refusing(nowhere, options)));
  const handle: RequestHandler = app;
  return (req, res) => {
    // A path without parameters needs no router: a push costs a tenth less.
    const serve = fixed.get(`${req.method} ${pathOf(req)}`);
    if (serve) serve(req, res);
    else handle(req as Request, res as Response, (error: unknown) => edge.fail(error, req, res));
  };
}

/** The same, known by its row to whoever traces. */
const told =
  (path: string, serve: RequestListener): RequestListener =>
  (request, res) => {
    if (ROUTED.hasSubscribers) ROUTED.publish({ request, path } satisfies Routed);
    serve(request, res);
  };

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly Method[]> {
  const paths = new Map<string, Method[]>();
  for (const { method, path } of routes) paths.set(path, [...(paths.get(path) ?? []), method]);
  return paths;
}

function refusing(refusalOf: (req: HttpRequest) => Error, options: RouterOptions): Endpoint<unknown> {
  const { preflight, admit = anybody } = options;
  return {
    route: 'other',
    admit,
    async handle({ req }) {
      if (req.method === 'OPTIONS' && preflight) return preflight(req.headers);
      throw refusalOf(req);
    },
  };
}

/** For endpoints that are open to everybody. */
export const anybody = (_req: HttpRequest): Promise<undefined> => Promise.resolve(undefined);
