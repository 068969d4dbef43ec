import { type VendorChannel } from '@pushfleet/channel-kit';
import { type AppSwitch } from '@pushfleet/domain';
import { openApiPaths, OPENAPI_LICENSE, type OpenApiDocument, type OpenApiOperation } from '@pushfleet/http-edge';
import { PROBLEMS, UNROUTED, type Problem } from '../http/problem';
import { installationOperations } from './installation-operations';
import { type KeyNeeded, type Operation, type Operations } from './operation';
import { messagingOperations } from './messaging-operations';
import { pushOperations } from './push-operations';
import { recordOperations } from './record-operations';
import { openApiSchemas } from './schemas';
import { serviceOperations } from './service-operations';

/** Every operation of the ingress, as the router knows it. */
const OPERATIONS: Operations = {
  ...pushOperations,
  ...installationOperations,
  ...recordOperations,
  ...messagingOperations,
  ...serviceOperations,
};

const listOf = (problems: readonly Problem[]): string =>
  problems
    .map((problem) => `- ${PROBLEMS[problem].status}, \`${PROBLEMS[problem].code}\`: ${PROBLEMS[problem].meaning}`)
    .join('\n');

const ABOUT = `The 1.1 push API, the way of devices to their gateways and the callbacks of vendors.

Callers name their app in \`X-LC-Id\` and prove it with \`X-LC-Key\` or \`X-LC-Sign\`; the older names \`X-AVOSCloud-Application-Id\`, \`X-AVOSCloud-Application-Key\` and \`X-AVOSCloud-Request-Sign\` mean the same. Any origin may call; \`OPTIONS\` answers preflights at every address.

Bodies are JSON, whatever content type they claim, and may be compressed (\`Content-Encoding: gzip\` or \`deflate\`); limits hold for what comes out. Every error is JSON \`{code, error}\`; what is no operation is answered so too:

${listOf(UNROUTED)}`;

const key = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

const SECURITY_SCHEMES = {
  app: key('X-LC-Id', 'Id of the app.'),
  appKey: key('X-LC-Key', 'App key.'),
  appSign: key(
    'X-LC-Sign',
    '`md5(timestamp + app key),timestamp`: the digest in lower case, the time in milliseconds.',
  ),
  masterKey: key('X-LC-Key', 'Master key, followed by `,master`.'),
  masterSign: key('X-LC-Sign', '`md5(timestamp + master key),timestamp,master`.'),
};

type Security = NonNullable<OpenApiOperation['security']>;

const anyOf = (...names: readonly string[]): Security => names.map((name) => ({ app: [], [name]: [] }));
const ANY_KEY = anyOf('appKey', 'appSign', 'masterKey', 'masterSign');

const SECURITY: Readonly<Record<KeyNeeded, Security>> = {
  app: ANY_KEY,
  clientPush: ANY_KEY,
  installationQueries: ANY_KEY,
  pushQueries: ANY_KEY,
  master: anyOf('masterKey', 'masterSign'),
  none: [],
  path: [],
};

/** The reference of the API, made from what validates its requests and from the table of its errors. */
export function openApiDocument(
  channels: Readonly<Record<string, VendorChannel>>,
  publicUrl: string | undefined,
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Push API 1.1', version: '1.1.0', description: ABOUT, license: OPENAPI_LICENSE },
    servers: [{ url: publicUrl ?? '/' }],
    security: ANY_KEY,
    paths: openApiPaths(OPERATIONS, {
      problems: PROBLEMS,
      problemsOf,
      securityOf: ({ key: needed }) => SECURITY[needed],
      descriptionOf,
    }),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: openApiSchemas(channels) },
  };
}

const SWITCHES: ReadonlySet<string> = new Set<AppSwitch>(['clientPush', 'installationQueries', 'pushQueries']);

function descriptionOf({ description, key: needed }: Operation): string | undefined {
  if (!SWITCHES.has(needed)) return description;
  const rule = `Needs the master key, unless the setting \`${needed}\` of the app opens it to the app key.`;
  return description === undefined ? rule : `${description}\n\n${rule}`;
}

const BODY_PROBLEMS: readonly Problem[] = [
  'too-slow',
  'malformed-json',
  'wrong-type',
  'too-large',
  'unsupported-encoding',
];
const MASTER_PROBLEMS: readonly Problem[] = ['unauthorised', 'not-for-clients'];
const KEY_PROBLEMS: Readonly<Record<KeyNeeded, readonly Problem[]>> = {
  app: ['unauthorised'],
  clientPush: MASTER_PROBLEMS,
  installationQueries: MASTER_PROBLEMS,
  pushQueries: MASTER_PROBLEMS,
  master: MASTER_PROBLEMS,
  none: [],
  path: [],
};

function problemsOf({ key: needed, body, problems }: Operation): readonly Problem[] {
  const own = [...(body ? BODY_PROBLEMS : []), ...KEY_PROBLEMS[needed], ...problems];
  const all = new Set<Problem>([...own, 'unavailable', 'defect']);
  return (Object.keys(PROBLEMS) as Problem[]).filter((problem) => all.has(problem));
}
