import { type VendorChannel } from '@pushfleet/channel-kit';
import { type Envelope, type Producer, type ReceiptsJob } from '@pushfleet/queues';
import { type Logger } from '@pushfleet/service-kit';
import { type Store } from '@pushfleet/store';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { type RequestListener } from 'node:http';
import { openAcceptPush } from './accept-pushes';
import { openAuthenticate } from './http/authenticate';
import { preflightAnswer } from './http/cors';
import { Edge, type Endpoint } from './http/endpoint';
import { Refusal } from './http/problem';
import { type IngressMetrics } from './metrics';
import { dateEndpoint } from './routes/date';
import { installationEndpoints } from './routes/installations';
import { notificationEndpoints } from './routes/notifications';
import { pushEndpoint } from './routes/push';
import { receiptsEndpoint } from './routes/receipts';

export interface IngressPorts {
  readonly store: Pick<Store, 'apps' | 'profiles' | 'installations' | 'pushes' | 'acceptPushes'>;
  readonly queues: {
    readonly requests: Pick<Producer<Envelope>, 'add'>;
    readonly schedule: Pick<Producer<Envelope>, 'add'>;
    readonly receipts: Pick<Producer<ReceiptsJob>, 'add'>;
  };
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly metrics: IngressMetrics;
  readonly log: Logger;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
  /** 0 allows any age. */
  readonly signMaxAgeMs: number;
}

/** The 1.1 API and the vendors' callbacks; the caller listens. */
export function buildApp(ports: IngressPorts): RequestListener {
  const edge = new Edge(ports);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  addRoutes(app, edge, endpointsOf(ports));
  app.use(edge.serve(otherEndpoint()));
  const handle: RequestHandler = app;
  return (req, res) => handle(req as Request, res as Response, (error: unknown) => edge.fail(error, req, res));
}

function endpointsOf(ports: IngressPorts) {
  const { store, queues, channels, now, publicUrl, signMaxAgeMs, metrics } = ports;
  const { profiles, pushes, installations } = store;
  const authenticate = openAuthenticate({ findApp: (id) => store.apps.getCached(id), now, signMaxAgeMs });
  const acceptPush = openAcceptPush({
    acceptPushes: (group) => store.acceptPushes(group),
    ...queues,
    now,
    onCommit: metrics.committed,
  });
  return {
    push: pushEndpoint({ authenticate, acceptPush, profiles, channels, now }),
    installations: installationEndpoints({ authenticate, installations, now, publicUrl }),
    notifications: notificationEndpoints({ authenticate, pushes, channels }),
    receipts: receiptsEndpoint({ profiles, channels, receipts: queues.receipts }),
    date: dateEndpoint({ authenticate, now }),
  };
}

/** The router tries routes in order: the busiest come first. */
function addRoutes(app: Express, edge: Edge, endpoints: ReturnType<typeof endpointsOf>): void {
  const { push, installations, notifications, receipts, date } = endpoints;
  app.post('/1.1/push', edge.serve(push));
  app.post('/push/v1/callback/:channel/:appId/:profile/:key', edge.serve(receipts));
  for (const path of ['/1.1/installations', '/1.1/classes/_Installation']) {
    app.route(path).post(edge.serve(installations.create)).get(edge.serve(installations.find));
    app
      .route(`${path}/:id`)
      .put(edge.serve(installations.update))
      .get(edge.serve(installations.get))
      .delete(edge.serve(installations.remove));
  }
  app.get('/1.1/notifications', edge.serve(notifications.list));
  app.get(['/1.1/notifications/:id', '/1.1/tables/Notifications/:id'], edge.serve(notifications.get));
  app.get('/1.1/date', edge.serve(date));
}

function otherEndpoint(): Endpoint {
  return {
    route: 'other',
    async handle(req) {
      if (req.method === 'OPTIONS') return preflightAnswer(req.headers);
      throw new Refusal('route-unknown', `There is no ${req.method} ${req.path.slice(0, 200)} here.`);
    },
  };
}
