import { PROBLEMS } from './http/problem';
import { openApiDocument } from './openapi';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ObjectSchema & { readonly enum: readonly unknown[] }>>;
  readonly required: readonly string[];
}

interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: { readonly 'application/json': { readonly schema: ObjectSchema } };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Readonly<Record<string, Answer>> } }>>;
  readonly 'x-errors': Readonly<Record<string, unknown>>;
}

const document = JSON.parse(JSON.stringify(openApiDocument(['https://login.example.com']))) as Document;

function answerOf(status: number): Answer {
  const answer = document.paths['/api/v1/user/info']?.get.responses[String(status)];
  if (!answer) throw new Error(`there is no answer ${status}`);
  return answer;
}

const schemaOf = (status: number): ObjectSchema => answerOf(status).content['application/json'].schema;

it('names version, servers and the scheme', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: 'https://login.example.com' }],
    components: { securitySchemes: { mac: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
  });
});

it.each(Object.entries(PROBLEMS))('explains %s where it is answered and in the list of all', (error, row) => {
  const { description } = answerOf(row.status);
  for (const part of [error, String(row.code), row.meaning, row.handling]) expect(description).toContain(part);
  expect(document['x-errors'][error]).toEqual(row);
});

it('gives every error a code of its own', () => {
  const codes = Object.values(PROBLEMS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

it('shows the user in the envelope and at the top', () => {
  const schema = schemaOf(200);
  const fields = ['user_id', 'name', 'avatar', 'gender', 'is_guest'];
  expect(Object.keys(schema.properties)).toEqual(['success', 'data', 'now', ...fields]);
  expect(schema.required).toEqual(['success', 'data', 'now', ...fields]);
  expect(Object.keys(schema.properties['data']?.properties ?? {})).toEqual(fields);
});

it('shows every error in the envelope and at the top', () => {
  const schema = schemaOf(401);
  expect(schema.properties['error']?.enum).toEqual(['invalid_client', 'access_denied']);
  expect(schema.properties['code']?.enum).toEqual([40101, 40102]);
  expect(Object.keys(schema.properties)).toEqual([
    ...['success', 'data', 'now', 'code', 'msg', 'error', 'error_description'],
  ]);
  expect(answerOf(405).headers['Allow']).toBeDefined();
});
