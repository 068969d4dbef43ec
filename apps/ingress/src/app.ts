import {
  anybody,
  Edge,
  openRouter,
  pathOf,
  referenceEndpoints,
  type Endpoint,
  type HttpRequest,
  type Route,
} from '@pushfleet/http-edge';
import { RECEIPT_ROUTE } from '@pushfleet/domain';
import { type RequestListener } from 'node:http';
import { apiRoutes } from './api';
import { openAddressLimit } from './http/address-limit';
import { asEndpoint } from './http/api-call';
import { idMissing, lacksId, nowhere } from './http/api-routes';
import { openAuthenticate } from './http/authenticate';
import { openCallLimit } from './http/call-limit';
import { corsPreflight } from './http/cors';
import { openLanes } from './http/lanes';
import { apiDialect } from './http/problem';
import { type Right } from './http/rights';
import { openApiDocument } from './openapi/document';
import { DATE_PATH, openDateEndpoint } from './routes/date';
import { receiptsEndpoint } from './routes/receipts';
import { routeEndpoints } from './routes/route';
import { type IngressPorts } from './ports';

export interface IngressRoute extends Route {
  /** Whose key it needs: none, one in the path, or as the table of the API has it. */
  readonly right: Right | 'none' | 'path';
}

export interface IngressApp {
  readonly listener: RequestListener;
  readonly routes: readonly IngressRoute[];
}

/** The 1.1 API, the way to the gateways and the vendors' callbacks; the caller listens. */
export function buildApp(ports: IngressPorts): IngressApp {
  const edge = new Edge({
    dialect: apiDialect,
    log: ports.log,
    metrics: ports.metrics,
    limits: ports.limits,
    onAnswered: (route, { status }, durationMs) => ports.metrics.answered(route, status, durationMs),
  });
  const routes = routesOf(ports, edge);
  const router = openRouter({ edge, routes, nowhere: nothingAt, preflight: corsPreflight });
  const unnamed = edge.serve(unnamedEndpoint);
  const listener: RequestListener = (req, res) => (lacksId(req.method, pathOf(req)) ? unnamed : router)(req, res);
  return { listener, routes };
}

function routesOf(ports: IngressPorts, edge: Edge): readonly IngressRoute[] {
  const { store, queues, now } = ports;
  const keys = { ...ports, findApp: (id: string) => store.apps.getCached(id) };
  const { proxyHops } = ports;
  const api = {
    proxyHops,
    runInLane: openLanes(),
    authenticate: openAuthenticate(keys),
    reauthenticate: openAuthenticate({ ...keys, signMaxAgeMs: 0 }),
  };
  const countByAddress = openAddressLimit(now);
  const quotas = { countPush: openCallLimit(store.quotas, now), countByAddress };
  const { runInLane } = api;
  const routes = apiRoutes(ports, { ...quotas, runInLane, refuse: (error) => edge.refuse(error) });
  const { route, appRoute } = routeEndpoints({ gateways: store.gateways, publicUrl: ports.publicUrl });
  const receipts = receiptsEndpoint({
    ...ports,
    profiles: store.profiles,
    signatures: store.receiptSignatures,
    requireRoom: store.requireReceiptRoom,
    receipts: queues.receipts,
  });
  const reference = referenceEndpoints({
    document: () => openApiDocument(ports.channels, ports.publicUrl),
    nowhere: nothingAt,
    credentials: { app: 'APP_ID', masterKey: 'MASTER_KEY,master' },
  });
  const open = (path: string, endpoint: Endpoint<undefined>): IngressRoute => ({
    method: 'GET',
    path,
    right: 'none',
    serve: edge.serve(endpoint),
  });
  return [
    ...routes
      .filter(({ path }) => path !== DATE_PATH)
      .map(({ endpoint, ...row }) => ({ ...row, serve: edge.serve(asEndpoint(endpoint, api)) })),
    open(DATE_PATH, openDateEndpoint({ now, countByAddress, proxyHops })),
    open('/v1/route', route),
    open('/2/route', appRoute),
    {
      method: 'POST',
      path: RECEIPT_ROUTE,
      right: 'path',
      serve: edge.serve(receipts),
    },
    open('/openapi.json', reference.document),
    open('/', reference.root),
    open('/docs', reference.page),
    open('/docs/:file', reference.file),
  ];
}

const unnamedEndpoint: Endpoint<undefined> = {
  route: 'other',
  admit: anybody,
  handle: () => Promise.reject(idMissing()),
};

const nothingAt = (req: HttpRequest): Error => nowhere(req.method ?? '', pathOf(req));
