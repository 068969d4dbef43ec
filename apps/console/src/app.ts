import {
  Edge,
  openRouter,
  pathOf,
  referenceEndpoints,
  type Endpoint,
  type HttpRequest,
  type Route,
} from '@pushfleet/http-edge';
import type { RequestListener } from 'node:http';
import { adminDialect } from './http/dialect';
import { API, asEndpoint, type AdminRoute, type Right } from './http/admin-route';
import { openAuthenticate, type Authenticate } from './http/authenticate';
import { Problem } from './http/problem';
import { openApiDocument } from './openapi/document';
import type { ConsolePorts } from './ports';
import { appRoutes } from './routes/apps';
import { channelRoutes } from './routes/channels';
import { clientRoutes } from './routes/clients';
import { doctorRoutes } from './routes/doctor';
import { installationRoutes } from './routes/installations';
import { processRoutes } from './routes/processes';
import { profileRoutes } from './routes/profiles';
import { pushRoutes } from './routes/pushes';
import { secretRoutes } from './routes/secrets';
import { userImportRoutes } from './routes/user-imports';
import { tokenRoutes, userRoutes } from './routes/users';

export interface ConsoleApp {
  readonly listener: RequestListener;
  readonly routes: readonly ConsoleRoute[];
}

export interface ConsoleRoute extends Route {
  readonly right: Right;
}

/** The admin API; never listens. */
export function buildApp(ports: ConsolePorts): ConsoleApp {
  const { log, metrics, limits } = ports;
  const edge = new Edge({
    ...{ dialect: adminDialect, log, metrics, limits },
    onAnswered: (route, { status }) => metrics.countRequest(route === 'other' ? 'none' : route, status),
  });
  const authenticate = openAuthenticate(ports);
  const routes = routesOf(ports, { edge, authenticate });
  const listener = openRouter({
    ...{ edge, nowhere, routes },
    // What there is under the API is for those with the token to know.
    admit: async (req) => {
      if (isOfApi(pathOf(req))) await authenticate(req);
    },
  });
  return { listener, routes };
}

interface Serving {
  readonly edge: Edge;
  readonly authenticate: Authenticate;
}

function routesOf(ports: ConsolePorts, { edge, authenticate }: Serving): readonly ConsoleRoute[] {
  const reference = referenceEndpoints(openApiDocument());
  const open = (path: string, endpoint: Endpoint<undefined>): ConsoleRoute => ({
    ...{ method: 'GET', path, right: 'none' },
    serve: edge.serve(endpoint),
  });
  return [
    ...adminRoutes(ports).map((route): ConsoleRoute => ({
      ...{ method: route.method, path: API + route.path, right: 'admin-token' },
      serve: edge.serve(asEndpoint(route, authenticate)),
    })),
    // It tells nothing that the documents of the fleet do not tell, and browsers and generators send no token.
    open(`${API}/openapi.json`, reference.document),
    open('/docs', reference.page),
  ];
}

/** Every operation that needs the token. */
const adminRoutes = (ports: ConsolePorts): readonly AdminRoute[] => [
  ...appRoutes(ports),
  ...profileRoutes(ports),
  ...pushRoutes(ports),
  ...channelRoutes(ports),
  ...processRoutes(ports),
  ...userRoutes(ports),
  ...tokenRoutes(ports),
  ...clientRoutes(ports),
  ...userImportRoutes(ports),
  ...installationRoutes(ports),
  ...doctorRoutes(ports),
  ...secretRoutes(ports),
];

const isOfApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);

const nowhere = (req: HttpRequest): Problem =>
  new Problem('route-unknown', `${req.method} ${pathOf(req)} is not a route of this API`);
