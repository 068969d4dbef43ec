import { openApiPaths, OPENAPI_LICENSE, type OpenApiDocument } from '@pushfleet/http-edge';
import type { Access } from '../http/access';
import { API, type AdminRoute } from '../http/admin-route';
import { COOKIE } from '../http/session-cookie';
import { PROBLEMS, type ProblemKind } from '../http/problem';
import { appOperations, profileOperations } from './app-operations';
import { channelOperations } from './channel-operations';
import { indexOperations } from './index-operations';
import { installationOperations } from './installation-operations';
import { fleetOperations } from './fleet-operations';
import type { Operation, Operations } from './operation';
import { pushOperations } from './push-operations';
import { peopleOperations } from './people-operations';
import { openApiSchemas } from './schemas';
import { sendingOperations } from './sending-operations';
import { accountOperations } from './user-operations';

/** Every operation of the console, as the router knows it. */
const OPERATIONS: Operations = {
  ...appOperations,
  ...indexOperations,
  ...profileOperations,
  ...pushOperations,
  ...sendingOperations,
  ...channelOperations,
  ...installationOperations,
  ...accountOperations,
  ...fleetOperations,
  ...peopleOperations,
};

/** What the table says of an operation, by its method and its path below the root of the API. */
export function operationOf({ method, path }: Pick<AdminRoute, 'method' | 'path'>): Operation {
  const operation = OPERATIONS[`${method} ${API}${path}`];
  if (!operation) throw new Error(`the reference does not know ${method} ${path}`);
  return operation;
}

const UNROUTED: readonly ProblemKind[] = ['malformed-http', 'route-unknown', 'method-unknown', 'headers-too-large'];

const ABOUT = `The admin API: apps and their keys, profiles, push records, channels, installations, users and secrets.

Callers present \`Authorization: Bearer ADMIN_TOKEN\`, or an API token in its place; the pages of the console have a session instead, and send \`x-pushfleet-console\` with what changes something. Every operation tells the least role that may do it (viewer, sender, operator, owner) and whether it is about one app, the fleet or the caller; a role holds for all apps or for some. Bodies are JSON that calls itself so, and may be compressed (\`Content-Encoding: gzip\` or \`deflate\`). Every error is \`{code, error, details?}\`; what is no operation is answered so too:

${UNROUTED.map((problem) => `- ${PROBLEMS[problem].status}, \`${PROBLEMS[problem].code}\`: ${PROBLEMS[problem].meaning}`).join('\n')}`;

const BY_TOKEN: readonly Readonly<Record<string, readonly string[]>>[] = [{ adminToken: [] }, { session: [] }];

const BODY_PROBLEMS: readonly ProblemKind[] = [
  ...(['malformed-json', 'invalid', 'too-slow', 'too-large', 'unsupported-type', 'unsupported-encoding'] as const),
];
const TOKEN_PROBLEMS: readonly ProblemKind[] = ['unauthorised', 'forbidden', 'too-many-calls', 'unavailable'];
/** Names in an address, and what is asked after it. */
const ADDRESS_PROBLEMS: readonly ProblemKind[] = ['invalid', 'malformed-url'];

function problemsOf({ access, body, query, problems }: Operation): readonly ProblemKind[] {
  const own = [
    ...(body ? BODY_PROBLEMS : []),
    ...(access ? TOKEN_PROBLEMS : []),
    ...(problems.includes('not-found') || query || body ? ADDRESS_PROBLEMS : []),
    ...problems,
  ];
  const all = new Set<ProblemKind>([...own, 'defect']);
  return (Object.keys(PROBLEMS) as ProblemKind[]).filter((problem) => all.has(problem));
}

const SETTLES =
  'Answered when every living process works with it, after five seconds at the latest: `pendingProcesses` names those that did not say so by then.';

const REACH = { app: 'this app', fleet: 'all apps', own: 'any app' } as const;

const whomFor = ({ role, scope }: Access): string => `For the role ${role}, of ${REACH[scope]}.`;

/** The reference of the admin API, made from what validates its requests and from the table of its errors. */
export const openApiDocument = (): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Admin API', version: '1.0.0', description: ABOUT, license: OPENAPI_LICENSE },
  servers: [{ url: '/' }],
  security: BY_TOKEN,
  paths: openApiPaths(OPERATIONS, {
    problems: PROBLEMS,
    problemsOf,
    securityOf: ({ access }) => (access ? BY_TOKEN : []),
    descriptionOf: ({ description, access, settles }) =>
      [description, settles && SETTLES, access && whomFor(access)].filter(Boolean).join(' '),
  }),
  components: {
    securitySchemes: {
      adminToken: { type: 'http', scheme: 'bearer', description: 'ADMIN_TOKEN of the console, or an API token.' },
      session: { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'Of who signed in.' },
    },
    schemas: openApiSchemas(),
  },
});
