import { z } from 'zod';
import { jsonSchemaOf, type OpenApiDocument } from './openapi';
import { referencePage } from './reference-page';

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'A <b>title</b>', version: '1', description: 'First.\n\nSecond with `code & more`.' },
  servers: [{ url: 'https://example.com' }],
  security: [],
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'getA',
        summary: 'Read "a"',
        parameters: [{ name: 'id', in: 'path', required: true, description: 'Which.', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'It.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/A' }, example: { b: '</pre>' } } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {},
    schemas: {
      A: jsonSchemaOf(
        z.looseObject({
          b: z.string().describe('The b.'),
          list: z.array(z.looseObject({ inner: z.enum(['x', 'y']) })).optional(),
          either: z.union([z.int(), z.string()]),
        }),
      ),
    },
  },
};
const html = referencePage(document);

it('shows operations, parameters and fields with their types', () => {
  for (const part of ['id="getA"', '/a/{id}', 'path, required', 'The b.', 'string, required', 'list of object'])
    expect(html).toContain(part);
  for (const part of ['&quot;x&quot; | &quot;y&quot;', 'integer | string, required', '<code>code &amp; more</code>'])
    expect(html).toContain(part);
});

it('shows text as text', () => {
  expect(html).not.toContain('<b>title</b>');
  expect(html).toContain('&lt;/pre&gt;');
});

it('a schema that holds itself ends', () => {
  const A = { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } };
  const endless = { ...document, components: { securitySchemes: {}, schemas: { A } } };
  expect(referencePage(endless).length).toBeLessThan(100_000);
});
