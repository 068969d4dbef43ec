import { type Logger } from '@pushfleet/service-kit';
import { type Store } from '@pushfleet/store';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { type RequestListener } from 'node:http';
import { Edge, type Handle } from './http/endpoint';
import { openLimitFailures } from './http/limit-failures';
import { Refusal } from './http/problem';
import { openRequireMac } from './http/require-mac';
import { type UserInfoMetrics } from './metrics';
import { openApiRoutes } from './routes/openapi';
import { ACCOUNT_ROUTES, accountRoute } from './routes/account';

export interface UserInfoPorts {
  readonly store: Pick<Store, 'macTokens' | 'nonces' | 'failures' | 'accountIds'>;
  readonly publicUrls: readonly string[];
  readonly windowMs: number;
  /** Trusted proxies between the callers and this process. */
  readonly proxyHops: number;
  /** Per minute: refusals of an address and of a token, and whatever a token signs; 0 for no limit. */
  readonly limits: { readonly perAddress: number; readonly perToken: number; readonly requestsPerToken: number };
  readonly metrics: UserInfoMetrics;
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The user information API; the caller listens. */
export function buildApp(ports: UserInfoPorts): RequestListener {
  const { store, publicUrls, limits, now } = ports;
  const edge = new Edge(ports);
  const limitFailures = openLimitFailures({ failures: store.failures, ...limits });
  const requireMac = openRequireMac({ ...ports, limitFailures });
  const serve =
    (handle: Handle): RequestHandler =>
    (req, res) =>
      void edge.run(handle, req, res);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const account = { requireMac, accountIds: store.accountIds, now };
  for (const [path, route] of Object.entries(ACCOUNT_ROUTES))
    app.all(path, serve(getOnly(accountRoute(route, account))));
  const reference = openApiRoutes(publicUrls);
  app.all('/openapi.json', serve(getOnly(reference.document)));
  app.all('/docs', serve(getOnly(reference.page)));
  app.use(serve(nowhere));
  const handle: RequestHandler = app;
  const fail =
    (error: unknown): Handle =>
    () =>
      Promise.reject(error);
  return (req, res) =>
    handle(req as Request, res as Response, (error: unknown) => void edge.run(fail(error), req, res));
}

/** The MAC scheme signs no body: under it only GET may ever be accepted. */
const getOnly =
  (handle: Handle): Handle =>
  (req) =>
    req.method === 'GET' ? handle(req) : Promise.reject(notAllowed());

const notAllowed = (): Refusal =>
  new Refusal('invalid_request', 'the method must be GET', { status: 405, headers: { allow: 'GET' } });

const nowhere: Handle = () => Promise.reject(new Refusal('not_found', 'there is nothing at this address'));
