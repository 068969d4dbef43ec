import { type OpenApiDocument, type OpenApiOperation } from './openapi';
import { curlExample, withCurlExamples } from './curl-example';

const operation: OpenApiOperation = { operationId: 'x', summary: 'X', responses: {} };
const document: OpenApiDocument = {
  ...{ openapi: '3.1.0', info: { title: 'T', version: '1', description: '' }, security: [{ app: [], appKey: [] }] },
  servers: [{ url: 'https://push.example.com' }],
  paths: { '/a': { get: { ...operation, description: 'What it is.' } } },
  components: {
    securitySchemes: {
      app: { type: 'apiKey', in: 'header', name: 'X-LC-Id' },
      appKey: { type: 'apiKey', in: 'header', name: 'X-LC-Key' },
      adminToken: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
  },
};

it('names method, address and whoever calls, and sends the example of the body', () => {
  const called = {
    ...operation,
    requestBody: { content: { 'application/json': { schema: {}, example: { alert: "it's" } } } },
  };
  const placeholders = { app: 'APP_ID' };
  expect(curlExample(document, { method: 'post', path: '/1.1/push', operation: called }, placeholders)).toBe(
    String.raw`curl -X POST 'https://push.example.com/1.1/push' \
  -H 'X-LC-Id: APP_ID' \
  -H 'X-LC-Key: APP_KEY' \
  -H 'Content-Type: application/json' \
  -d '{"alert":"it'\''s"}'`,
  );
});

it('leaves what only the caller knows in capitals', () => {
  const called: OpenApiOperation = {
    ...operation,
    security: [{ adminToken: [] }, { session: [] }],
    parameters: [
      { name: 'pushId', in: 'path', required: true, schema: {} },
      { name: 'client_id', in: 'query', required: true, schema: {} },
      { name: 'limit', in: 'query', schema: {} },
    ],
  };
  const elsewhere = { ...document, servers: [{ url: '/' }] };
  expect(curlExample(elsewhere, { method: 'get', path: '/a/{pushId}', operation: called })).toBe(
    "curl 'https://HOST/a/PUSH_ID?client_id=CLIENT_ID' \\\n  -H 'Authorization: Bearer ADMIN_TOKEN'",
  );
});

it('stands after what is said about the operation', () => {
  const { description } = withCurlExamples(document, {}).paths['/a']?.['get'] ?? {};
  expect(description).toMatch(/^What it is\.\n\n```sh\ncurl 'https:\/\/push\.example\.com\/a' \\\n/);
});
