import { type JsonSchema, type OpenApiOperation, type OpenApiDocument } from './openapi';

export interface DocumentedParameter {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
  readonly required?: true;
}

export interface DocumentedForm {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** By content type. */
export type DocumentedForms = Readonly<Record<string, DocumentedForm>>;

/** What a reference says about one operation; errors that all operations share are added to it. */
export interface DocumentedOperation<Problem extends string> {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What may stand for a parameter of the path; absent: any text. */
  readonly path?: Readonly<Record<string, JsonSchema>>;
  readonly query?: Readonly<Record<string, DocumentedParameter>>;
  readonly body?: DocumentedForm & {
    /** Absent: none but JSON. */
    readonly otherForms?: DocumentedForms;
    readonly isOptional?: true;
  };
  readonly answer: DocumentedForm & {
    readonly status: 200 | 201 | 202 | 302;
    readonly description: string;
    readonly otherForms?: DocumentedForms;
    readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
    /** Absent: JSON. */
    readonly contentType?: string;
  };
  /** What is answered where that is neither the answer nor a refusal. */
  readonly otherAnswers?: Readonly<Record<number, DocumentedForm & { readonly description: string }>>;
  /** Refusals that are not in the form of the API. */
  readonly refusals?: Readonly<Record<number, DocumentedForm & { readonly description: string }>>;
  /** What can go wrong beside what always can. */
  readonly problems: readonly Problem[];
}

export interface DocumentedProblem {
  readonly status: number;
  readonly code: number;
  readonly meaning: string;
}

/** What the operations of one API have in common. */
export interface OperationRules<Problem extends string, Operation extends DocumentedOperation<Problem>> {
  readonly problems: Readonly<Record<Problem, DocumentedProblem>>;
  problemsOf(operation: Operation): readonly Problem[];
  securityOf(operation: Operation): NonNullable<OpenApiOperation['security']>;
  descriptionOf(operation: Operation): string | undefined;
}

export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const JSON_TYPE = 'application/json';

/** The paths of a document, from operations by `METHOD /path` as the router has them. Errors are the schema `Error`. */
export function openApiPaths<Problem extends string, Operation extends DocumentedOperation<Problem>>(
  operations: Readonly<Record<string, Operation>>,
  rules: OperationRules<Problem, Operation>,
): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = route.split(' ');
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const place = path.replace(/:(\w+)/g, '{$1}');
    paths[place] = { ...paths[place], [method.toLowerCase()]: describe(operation, names, rules) };
  }
  return paths;
}

function describe<Problem extends string, Operation extends DocumentedOperation<Problem>>(
  operation: Operation,
  pathNames: readonly string[],
  rules: OperationRules<Problem, Operation>,
): OpenApiOperation {
  const { id, tag, summary, path = {}, query = {}, body, answer } = operation;
  const description = rules.descriptionOf(operation);
  const { status, description: about, schema, example, headers, contentType = JSON_TYPE } = answer;
  const content = { [contentType]: { schema, example }, ...answer.otherForms };
  const rows = rules.problemsOf(operation).map((problem) => rules.problems[problem]);
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: rules.securityOf(operation),
    parameters: [
      ...pathNames.map((name) => ({ name, in: 'path', required: true, schema: path[name] ?? { type: 'string' } })),
      ...Object.entries(query).map(([name, parameter]) => ({ name, in: 'query', ...parameter })),
    ],
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: {
      [status]: { description: about, ...(headers ? { headers } : {}), content },
      ...withRefusals({}, operation.otherAnswers),
      ...withRefusals(errorResponses(rows), operation.refusals),
    },
  };
}

const requestBody = ({ schema, example, otherForms, isOptional }: NonNullable<DocumentedOperation<never>['body']>) => ({
  required: isOptional !== true,
  content: { [JSON_TYPE]: { schema, example }, ...otherForms },
});

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
const WAITING = new Set([429, 503]);

function errorResponses(problems: readonly DocumentedProblem[]): OpenApiOperation['responses'] {
  const statuses = [...new Set(problems.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const rows = problems.filter((row) => row.status === status);
      const description = rows.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('\n\n');
      const codes = [...new Set(rows.map(({ code }) => code))];
      const example = { code: codes[0], error: rows[0]?.meaning.replaceAll('`', '') };
      const schema: JsonSchema = { allOf: [schemaRef('Error'), { properties: { code: { enum: codes } } }] };
      const headers = WAITING.has(status) ? { headers: RETRY_AFTER } : {};
      return [String(status), { description, ...headers, content: { [JSON_TYPE]: { schema, example } } }];
    }),
  );
}

/** One status may be answered in the form of this API and in that of another. */
function withRefusals(
  responses: OpenApiOperation['responses'],
  refusals: DocumentedOperation<never>['refusals'] = {},
): OpenApiOperation['responses'] {
  const merged = Object.entries(refusals).map(([status, { description, schema, example }]) => {
    const { description: own = '', content = {}, ...rest } = responses[status] ?? {};
    const schemas = [...Object.values(content).map((form) => form.schema), schema];
    const about = [own, description].filter((text) => text !== '').join('\n\n');
    return [status, { ...rest, description: about, content: { [JSON_TYPE]: { schema: { anyOf: schemas }, example } } }];
  });
  return { ...responses, ...(Object.fromEntries(merged) as OpenApiOperation['responses']) };
}
