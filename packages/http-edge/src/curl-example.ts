import { type JsonSchema, type OpenApiDocument, type OpenApiOperation } from './openapi';

/** By security scheme; one that is not there is written as its name in capitals. */
export type Placeholders = Readonly<Record<string, string>>;

interface Called {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The document with a call of each operation at the end of what is said about it. */
export function withCurlExamples(document: OpenApiDocument, credentials: Placeholders): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const shown = Object.entries(operations).map(([method, operation]) => {
      const example = curlExample(document, { method, path, operation }, credentials);
      const description = [operation.description, `\`\`\`sh\n${example}\n\`\`\``].filter(Boolean).join('\n\n');
      return [method, { ...operation, description }] as const;
    });
    return [path, Object.fromEntries(shown)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** How to call an operation from a shell; what only the caller knows stands in capitals. */
export function curlExample(document: OpenApiDocument, called: Called, credentials: Placeholders = {}): string {
  const { method, operation } = called;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  const headers = headersOf(document, operation, credentials).map((header) => `-H ${quoted(header)}`);
  const body = operation.requestBody?.content?.['application/json']?.example;
  const sent = body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(jsonOf(body))}`];
  return [`curl${verb} ${quoted(addressOf(document, called))}`, ...headers, ...sent].join(' \\\n  ');
}

const ANY_HOST = 'https://HOST';

function addressOf({ servers: [server] }: OpenApiDocument, { path, operation }: Called): string {
  const host = /^https?:/.test(server?.url ?? '') ? (server?.url ?? '') : ANY_HOST;
  const query = (operation.parameters ?? [])
    .filter(({ in: place, required }) => place === 'query' && required === true)
    .map(({ name }) => `${name}=${inCapitals(name)}`);
  const asked = query.length > 0 ? `?${query.join('&')}` : '';
  return `${host}${path.replace(/\{(\w+)\}/g, (_, name: string) => inCapitals(name))}${asked}`;
}

function headersOf(
  { components, security: usual }: OpenApiDocument,
  { security = usual }: OpenApiOperation,
  credentials: Placeholders,
): readonly string[] {
  const [first = {}] = security;
  return Object.keys(first).flatMap((name) => {
    const scheme = (components.securitySchemes[name] ?? {}) as JsonSchema;
    const value = credentials[name] ?? inCapitals(name);
    if (scheme['type'] === 'http') return [`Authorization: Bearer ${value}`];
    return scheme['in'] === 'header' ? [`${String(scheme['name'])}: ${value}`] : [];
  });
}

/** In a line where that is one to read. */
function jsonOf(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length > 60 ? JSON.stringify(body, null, 2) : line;
}

const inCapitals = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
