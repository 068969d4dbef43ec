import { openApiPaths } from '@pushfleet/http-edge';
import { OPENAPI_LICENSE, type OpenApiDocument } from '@pushfleet/service-kit';
import { API, type AdminRoute } from '../http/admin-route';
import { PROBLEMS, type ProblemKind } from '../http/problem';
import { appOperations, profileOperations } from './app-operations';
import { fleetOperations } from './fleet-operations';
import type { Operation, Operations } from './operation';
import { channelOperations, installationOperations, pushOperations } from './push-operations';
import { openApiSchemas } from './schemas';
import { accountOperations } from './user-operations';

/** Every operation of the console, as the router knows it. */
const OPERATIONS: Operations = {
  ...appOperations,
  ...profileOperations,
  ...pushOperations,
  ...channelOperations,
  ...installationOperations,
  ...accountOperations,
  ...fleetOperations,
};

/** What the reference calls an operation, by its method and its path below the root of the API. */
export function nameOfOperation({ method, path }: Pick<AdminRoute, 'method' | 'path'>): string {
  const name = OPERATIONS[`${method} ${API}${path}`]?.id;
  if (name === undefined) throw new Error(`the reference does not know ${method} ${path}`);
  return name;
}

const UNROUTED: readonly ProblemKind[] = ['malformed-http', 'route-unknown', 'method-unknown', 'headers-too-large'];

const ABOUT = `The admin API: apps and their keys, profiles, push records, channels, installations, users and secrets.

Callers present \`Authorization: Bearer ADMIN_TOKEN\`. Bodies are JSON that calls itself so, and never compressed. Every error is \`{code, error, details?}\`; what is no operation is answered so too:

${UNROUTED.map((problem) => `- ${PROBLEMS[problem].status}, \`${PROBLEMS[problem].code}\`: ${PROBLEMS[problem].meaning}`).join('\n')}`;

const BY_TOKEN = [{ adminToken: [] }];

const BODY_PROBLEMS: readonly ProblemKind[] = [
  ...(['malformed-json', 'invalid', 'too-slow', 'too-large', 'unsupported-type', 'unsupported-encoding'] as const),
];
const TOKEN_PROBLEMS: readonly ProblemKind[] = ['unauthorised', 'too-many-calls', 'unavailable'];
/** Names in an address, and what is asked after it. */
const ADDRESS_PROBLEMS: readonly ProblemKind[] = ['invalid', 'malformed-url'];

function problemsOf({ right, body, query, problems }: Operation): readonly ProblemKind[] {
  const isOpen = right === 'none';
  const own = [
    ...(body ? BODY_PROBLEMS : []),
    ...(isOpen ? [] : TOKEN_PROBLEMS),
    ...(problems.includes('not-found') || query || body ? ADDRESS_PROBLEMS : []),
    ...problems,
  ];
  const all = new Set<ProblemKind>([...own, 'defect']);
  return (Object.keys(PROBLEMS) as ProblemKind[]).filter((problem) => all.has(problem));
}

/** The reference of the admin API, made from what validates its requests and from the table of its errors. */
export const openApiDocument = (): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Admin API', version: '1.0.0', description: ABOUT, license: OPENAPI_LICENSE },
  servers: [{ url: '/' }],
  security: BY_TOKEN,
  paths: openApiPaths(OPERATIONS, {
    problems: PROBLEMS,
    problemsOf,
    securityOf: ({ right }) => (right === 'none' ? [] : BY_TOKEN),
    descriptionOf: ({ description }) => description,
  }),
  components: {
    securitySchemes: { adminToken: { type: 'http', scheme: 'bearer', description: 'ADMIN_TOKEN of the console.' } },
    schemas: openApiSchemas(),
  },
});
