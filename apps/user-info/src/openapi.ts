import { MAX_MAC_HEADER_LENGTH } from '@pushfleet/mac-auth';
import {
  jsonSchemaOf,
  OPENAPI_LICENSE,
  type JsonSchema,
  type OpenApiBody,
  type OpenApiDocument,
  type OpenApiOperation,
} from '@pushfleet/http-edge';
import { userSchema } from '@pushfleet/store';
import { z } from 'zod';
import { PROBLEMS, type ErrorCode } from './http/problem';
import { MAX_URI_LENGTH } from './http/require-mac';
import { type AccountPath } from './routes/account';

const CODES = Object.keys(PROBLEMS) as readonly ErrorCode[];

const nowSchema = z.int().describe('Time of the server in whole seconds since the epoch.');

/** What a caller may rely on: the fields themselves, not the bounds within which they are stored. */
const userFields = userSchema.shape;
const shown = {
  name: z.string().describe(userFields.name.description ?? ''),
  avatar: z.string().describe(userFields.avatar.description ?? ''),
};
const accountIds = {
  openid: z.string().describe('The user as this client knows it; other clients see another one.'),
  unionid: z.string().describe('The user as all clients of one developer know it.'),
};

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly scopes: string;
  readonly data: z.ZodRawShape;
}

const OPERATIONS: Readonly<Record<AccountPath, Described>> = {
  '/api/v1/user/info': {
    operationId: 'getUserInfo',
    summary: 'Get current account details',
    scopes: '`public_profile`',
    data: {
      user_id: z.string().describe(userFields.user_id.description ?? ''),
      ...shown,
      gender: userFields.gender,
      is_guest: userFields.is_guest,
    },
  },
  '/account/profile/v1': {
    operationId: 'getProfile',
    summary: 'Get the profile of the current user',
    scopes: '`public_profile`',
    data: { ...shown, gender: z.enum(['male', 'female', '']).describe('Empty: unknown.'), ...accountIds },
  },
  '/account/basic-info/v1': {
    operationId: 'getBasicInfo',
    summary: 'Get the ids of the current user',
    scopes: '`basic_info` or `public_profile`',
    data: accountIds,
  },
};

function successSchemaOf(data: z.ZodRawShape): JsonSchema {
  const dataSchema = z.looseObject(data);
  return jsonSchemaOf(z.looseObject({ success: z.literal(true), data: dataSchema, now: nowSchema, ...data }));
}

function errorSchemaOf(codes: readonly ErrorCode[]): JsonSchema {
  const data = z.looseObject({
    code: z.literal(codes.map((code) => PROBLEMS[code].code)).describe('The same for every report of this error.'),
    msg: z.string().describe('The same as `error_description`.'),
    error: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
    error_description: z.string().describe('For readers, not for programs.'),
  });
  return jsonSchemaOf(z.looseObject({ success: z.literal(false), data, now: nowSchema, ...data.shape }));
}

const content = (schema: JsonSchema) => ({ 'application/json': { schema } });

const described = (code: ErrorCode): string => {
  const { meaning, handling, code: number } = PROBLEMS[code];
  return `\`${code}\` (${number}): ${meaning} ${handling}`;
};

const HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': { schema: { const: 'MAC' } } },
  405: { Allow: { schema: { const: 'GET' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  500: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

function errorResponses(): Readonly<Record<string, OpenApiBody>> {
  const statuses = [...new Set(CODES.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = CODES.filter((code) => PROBLEMS[code].status === status);
      const headers = HEADERS[status];
      const description = codes.map(described).join('\n\n');
      return [String(status), { description, ...(headers ? { headers } : {}), content: content(errorSchemaOf(codes)) }];
    }),
  );
}

const AUTHORIZATION =
  `\`Authorization: MAC id="<access_token>",ts="<seconds>",nonce="<random>",mac="<base64>"\`, at most
${MAX_MAC_HEADER_LENGTH} characters. \`mac\` is the HMAC-SHA-1, or for a token with \`mac_algorithm\` hmac-sha-256 the HMAC-SHA-256, with
\`mac_key\` as key, of: ts, nonce, method, path with query, host in lower case, port, and an empty string, each followed by a
line feed. The port is 443 for https and 80 for http, or the one that the address names.`.replaceAll('\n', ' ');

/** The whole service, made from the schemas and the table that answer its requests. */
export function openApiDocument(
  publicUrls: readonly string[],
): OpenApiDocument & Readonly<Record<'x-errors', JsonSchema>> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'User information',
      version: '1.0.0',
      description: 'Reads the profile of the user of a MAC token.',
      license: OPENAPI_LICENSE,
    },
    servers: publicUrls.map((url) => ({ url })),
    security: [{ mac: [] }],
    paths: Object.fromEntries(
      Object.entries(OPERATIONS).map(([path, described]) => [path, { get: operation(described) }]),
    ),
    components: {
      // Generators know no scheme named MAC; to them it is a header that the caller fills.
      securitySchemes: { mac: { type: 'apiKey', in: 'header', name: 'Authorization', description: AUTHORIZATION } },
    },
    'x-errors': Object.fromEntries(CODES.map((code) => [code, PROBLEMS[code]])),
  };
}

const operation = ({ operationId, summary, scopes, data }: Described): OpenApiOperation => ({
  operationId,
  summary,
  description: [
    `For tokens with the scope ${scopes}; a token without scope has \`public_profile\`.`,
    `The whole address has at most ${MAX_URI_LENGTH} characters. Fields of \`data\` stand at the top as well.`,
  ].join(' '),
  parameters: [
    {
      name: 'client_id',
      in: 'query',
      required: true,
      description: 'Client ID of the app that the token was issued for, exactly once.',
      schema: { type: 'string', minLength: 1 },
    },
  ],
  responses: {
    200: { description: 'The user.', content: content(successSchemaOf(data)) },
    ...errorResponses(),
    405: {
      description: `The method is not GET: ${described('invalid_request')}`,
      headers: HEADERS[405],
      content: content(errorSchemaOf(['invalid_request'])),
    },
  },
});
