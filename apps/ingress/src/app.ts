import { type VendorChannel } from '@pushfleet/channel-kit';
import { type Envelope, type Producer, type ReceiptsJob } from '@pushfleet/queues';
import { type Logger, type Tracing } from '@pushfleet/service-kit';
import { type Store } from '@pushfleet/store';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { type RequestListener } from 'node:http';
import { apiRoutes } from './api';
import { asEndpoint } from './http/api-call';
import { openAuthenticate } from './http/authenticate';
import { openCallLimit } from './http/call-limit';
import { preflightAnswer } from './http/cors';
import { Edge, type Endpoint } from './http/endpoint';
import { pathOf } from './http/http-request';
import { Refusal } from './http/problem';
import { type IngressMetrics } from './metrics';
import { classMissing } from './routes/cloud-query';
import { receiptsEndpoint } from './routes/receipts';
import { referenceEndpoints } from './routes/reference';
import { routeEndpoints } from './routes/route';

export interface IngressPorts {
  readonly store: Pick<
    Store,
    | 'apps'
    | 'profiles'
    | 'installations'
    | 'pushes'
    | 'schedule'
    | 'quotas'
    | 'acceptPushes'
    | 'gateways'
    | 'receiptSignatures'
  >;
  readonly queues: {
    readonly requests: Pick<Producer<Envelope>, 'add'>;
    readonly schedule: Pick<Producer<Envelope>, 'add'>;
    readonly receipts: Pick<Producer<ReceiptsJob>, 'add'>;
  };
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly metrics: IngressMetrics;
  readonly log: Logger;
  readonly tracing: Pick<Tracing, 'mark' | 'runFor'>;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
  /** 0 allows any age. */
  readonly signMaxAgeMs: number;
}

/** The 1.1 API, the way to the gateways and the vendors' callbacks; the caller listens. */
export function buildApp(ports: IngressPorts): RequestListener {
  const edge = new Edge(ports);
  const { app, fixed } = openRouter(ports, edge);
  const handle: RequestHandler = app;
  return (req, res) => {
    // A path without parameters and query needs no router: a push costs a tenth less.
    const serve = fixed.get(`${req.method} ${req.url}`);
    if (serve) serve(req, res);
    else handle(req as Request, res as Response, (error: unknown) => edge.fail(error, req, res));
  };
}

export interface Router {
  readonly app: Express;
  /** By `METHOD /path`: what needs no router. */
  readonly fixed: ReadonlyMap<string, RequestListener>;
}

export function openRouter(ports: IngressPorts, edge: Edge): Router {
  const { store, queues, now } = ports;
  const authenticate = openAuthenticate({ ...ports, findApp: (id) => store.apps.getCached(id) });
  const limit = openCallLimit(store.quotas, now);
  const api = { authenticate, countCall: ({ app }: { app: Parameters<typeof limit>[0] }) => limit(app) };
  const routes = apiRoutes(ports, { ...api, explain: (error) => edge.explain(error) });
  const receipts = receiptsEndpoint({
    ...ports,
    profiles: store.profiles,
    signatures: store.receiptSignatures,
    receipts: queues.receipts,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const fixed = new Map<string, RequestListener>();
  for (const { method, path, endpoint } of routes) {
    const verb = method.toLowerCase() as Lowercase<typeof method>;
    const serve = edge.serve(asEndpoint(endpoint, api));
    app[verb](path, serve);
    if (!path.includes(':')) fixed.set(`${method} ${path}`, serve);
  }
  const { route, appRoute } = routeEndpoints({ gateways: store.gateways, publicUrl: ports.publicUrl });
  app.get('/v1/route', edge.serve(route));
  app.get('/2/route', edge.serve(appRoute));
  app.post('/push/v1/callback/:channel/:appId/:profile/:key', edge.serve(receipts));
  const reference = referenceEndpoints(ports);
  app.get('/openapi.json', edge.serve(reference.document));
  app.get('/docs', edge.serve(reference.page));
  app.use(edge.serve(otherEndpoint()));
  return { app, fixed };
}

const CLASS_PATH = /^\/1\.1\/(scan\/)?classes\//;

function otherEndpoint(): Endpoint {
  return {
    route: 'other',
    async handle(req) {
      if (req.method === 'OPTIONS') return preflightAnswer(req.headers);
      const path = pathOf(req);
      if (CLASS_PATH.test(path)) throw classMissing();
      throw new Refusal('route-unknown', `There is no ${req.method} ${path.slice(0, 200)} here.`);
    },
  };
}
