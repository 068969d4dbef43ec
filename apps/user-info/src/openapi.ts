import { MAX_MAC_HEADER_LENGTH } from '@pushfleet/mac-auth';
import {
  jsonSchemaOf,
  type JsonSchema,
  type OpenApiBody,
  type OpenApiDocument,
  type OpenApiOperation,
} from '@pushfleet/service-kit';
import { userSchema } from '@pushfleet/store';
import { z } from 'zod';
import { PROBLEMS, type ErrorCode } from './http/problem';
import { MAX_URI_LENGTH } from './http/require-mac';
import { USER_INFO_PATH } from './routes/user-info';

const CODES = Object.keys(PROBLEMS) as readonly ErrorCode[];

const nowSchema = z.int().describe('Time of the server in whole seconds since the epoch.');

/** What a caller may rely on: the fields themselves, not the bounds within which they are stored. */
const userFields = userSchema.shape;
const dataSchema = z.looseObject({
  user_id: z.string().describe(userFields.user_id.description ?? ''),
  name: z.string().describe(userFields.name.description ?? ''),
  avatar: z.string().describe(userFields.avatar.description ?? ''),
  gender: userFields.gender,
  is_guest: userFields.is_guest,
});

const successSchema = z.looseObject({
  success: z.literal(true),
  data: dataSchema,
  now: nowSchema,
  ...dataSchema.shape,
});

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
    info: { title: 'User information', version: '1.0.0', description: 'Reads the profile of the user of a MAC token.' },
    servers: publicUrls.map((url) => ({ url })),
    security: [{ mac: [] }],
    paths: { [USER_INFO_PATH]: { get: operation() } },
    components: { securitySchemes: { mac: { type: 'http', scheme: 'MAC', description: AUTHORIZATION } } },
    'x-errors': Object.fromEntries(CODES.map((code) => [code, PROBLEMS[code]])),
  };
}

const operation = (): OpenApiOperation => ({
  operationId: 'getUserInfo',
  summary: 'Get current account details',
  description: `The whole address has at most ${MAX_URI_LENGTH} characters. Fields of \`data\` stand at the top as well.`,
  parameters: [
    {
      ...{ name: 'client_id', in: 'query', required: true },
      description: 'Client ID of the app that the token was issued for, exactly once.',
      schema: { type: 'string', minLength: 1 },
    },
  ],
  responses: {
    200: { description: 'The user.', content: content(jsonSchemaOf(successSchema)) },
    ...errorResponses(),
    405: {
      description: `The method is not GET: ${described('invalid_request')}`,
      headers: HEADERS[405],
      content: content(errorSchemaOf(['invalid_request'])),
    },
  },
});
