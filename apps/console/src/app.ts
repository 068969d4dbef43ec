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
import { API, asEndpoint, isAudited, type AdminRoute, type Guards } from './http/admin-route';
import type { Access } from './http/access';
import { openAudit } from './http/audit';
import { openAuthenticate, openReauthenticate } from './http/authenticate';
import { Problem } from './http/problem';
import { behindCookie } from './http/behind-cookie';
import { DearReads } from './dear-reads';
import { openDoctor, type Doctor } from './doctor/open-doctor';
import { openApiDocument, operationOf } from './openapi/document';
import { openPasswords } from './people/password';
import type { ConsolePorts } from './ports';
import { apiTokenRoutes } from './routes/api-tokens';
import { appKeyRoutes } from './routes/app-keys';
import { appReachRoutes } from './routes/app-reach';
import { appRoutes } from './routes/apps';
import { auditRoutes } from './routes/audit';
import { channelRoutes } from './routes/channels';
import { clientRoutes } from './routes/clients';
import { deviceStoryRoutes } from './routes/device-story';
import { doctorRoutes } from './routes/doctor';
import { indexRoutes } from './routes/indexes';
import { LiveStreams } from './live/live-streams';
import { installationRoutes } from './routes/installations';
import { liveRoutes } from './routes/live';
import { peopleRoutes } from './routes/people';
import { processRoutes } from './routes/processes';
import { profileRoutes } from './routes/profiles';
import { pushOutcomeRoutes } from './routes/push-outcomes';
import { pushRoutes } from './routes/pushes';
import { reasonRoutes } from './routes/reasons';
import { secretRoutes } from './routes/secrets';
import { sendingRoutes } from './routes/sending';
import { sessionRoutes } from './routes/session';
import { userImportRoutes } from './routes/user-imports';
import { tokenRoutes, userRoutes } from './routes/users';
import { settleSettings } from './settle-settings';
import { serveWeb } from './web/serve-web';

export interface ConsoleApp {
  readonly listener: RequestListener;
  readonly routes: readonly ConsoleRoute[];
  /** Ends what stays open until its browser leaves. */
  endStreams(): Promise<void>;
}

export interface ConsoleRoute extends Route {
  /** Whom it is for; undefined: anybody. */
  readonly access: Access | undefined;
  /** The audit log tells of it. */
  readonly isAudited: boolean;
}

/** The admin API; never listens. */
export function buildApp(ports: ConsolePorts): ConsoleApp {
  const { log, metrics, limits } = ports;
  const edge = new Edge({
    dialect: adminDialect,
    log,
    metrics,
    limits,
    onAnswered: (route, { status }) => metrics.countRequest(route === 'other' ? 'none' : route, status),
  });
  const authenticate = openAuthenticate(ports);
  const reauthenticate = openReauthenticate(ports, authenticate);
  const settle = () => settleSettings(ports);
  const dearReads = new DearReads(metrics.dearReads);
  const guards = { authenticate, reauthenticate, audit: openAudit(ports), settle, operationOf, dearReads };
  const doctor = openDoctor(ports);
  const live = new LiveStreams(ports, reauthenticate, doctor);
  const routes = routesOf(ports, { edge, guards, live, doctor });
  const listener = openRouter({
    edge,
    nowhere,
    routes,
    // What there is under the API is for those with the token to know.
    admit: async (req) => {
      if (isOfApi(pathOf(req))) await authenticate(req);
    },
  });
  const api = behindCookie(ports, edge, listener);
  const served = serveWeb({ folder: ports.pages, edge, nowhere, api });
  return { listener: served, routes, endStreams: () => live.close() };
}

interface Serving {
  readonly edge: Edge;
  readonly guards: Guards;
  readonly live: LiveStreams;
  readonly doctor: Doctor;
}

function routesOf(ports: ConsolePorts, { edge, guards, live, doctor }: Serving): readonly ConsoleRoute[] {
  const reference = referenceEndpoints({ document: openApiDocument, credentials: {}, nowhere });
  const open = (path: string, endpoint: Endpoint<undefined>): ConsoleRoute => ({
    method: 'GET',
    path,
    access: undefined,
    isAudited: false,
    serve: edge.serve(endpoint),
  });
  return [
    ...adminRoutes(ports, { live, doctor }).map((route): ConsoleRoute => ({
      method: route.method,
      path: API + route.path,
      isAudited: isAudited(route),
      access: operationOf(route).access,
      serve: edge.serve(asEndpoint(route, guards)),
    })),
    // It tells nothing that the documents of the fleet do not tell, and browsers and generators send no token.
    open(`${API}/openapi.json`, reference.document),
    open('/docs', reference.page),
    open('/docs/:file', reference.file),
  ];
}

/** Every operation of the API. */
const adminRoutes = (
  ports: ConsolePorts,
  { live, doctor }: Pick<Serving, 'live' | 'doctor'>,
  passwords = openPasswords(),
): readonly AdminRoute[] => [
  ...sessionRoutes(ports, passwords),
  ...peopleRoutes(ports, passwords),
  ...apiTokenRoutes(ports),
  ...appRoutes(ports),
  ...appKeyRoutes(ports),
  ...appReachRoutes(ports),
  ...indexRoutes(ports),
  ...profileRoutes(ports),
  ...pushRoutes(ports),
  ...sendingRoutes(ports),
  ...pushOutcomeRoutes(ports),
  ...reasonRoutes(),
  ...channelRoutes(ports),
  ...processRoutes(ports),
  ...liveRoutes(live),
  ...auditRoutes(ports),
  ...byPrograms([...userRoutes(ports), ...tokenRoutes(ports), ...userImportRoutes(ports)]),
  ...clientRoutes(ports),
  ...installationRoutes(ports),
  ...deviceStoryRoutes(ports),
  ...doctorRoutes(ports, doctor),
  ...secretRoutes(ports),
];

/** Log-in services write users and tokens all day: among them nobody would find what an operator did by hand. */
const byPrograms = (routes: readonly AdminRoute[]): readonly AdminRoute[] =>
  routes.map((route) => ({ ...route, audited: 'by-hand' }));

const isOfApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);

const nowhere = (req: HttpRequest): Problem =>
  new Problem('route-unknown', `${req.method} ${pathOf(req)} is not a route of this API`);
