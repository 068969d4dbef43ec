interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> } | undefined>>;
}

/** As much of an OpenAPI document as tells what a service may answer. */
export interface AnswersDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A checker of JSON Schema 2020-12, which the workspace of the test brings along. */
export interface SchemaChecker<Check> {
  addSchema(schema: object): unknown;
  compile(schema: object): Check;
}

export interface AnswerOf {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

const pointer = (parts: readonly string[]): string =>
  parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

/** Compares real answers of a service with what its OpenAPI document tells of them. */
export class DocumentedAnswers<Check extends ((value: unknown) => boolean) & { errors?: unknown }> {
  private readonly known = new Map<string, Check>();
  /** Fixed paths first: `devices` is no id. */
  private readonly paths: readonly (readonly [string, Readonly<Record<string, Operation>>])[];

  constructor(
    document: AnswersDocument,
    private readonly checker: SchemaChecker<Check>,
  ) {
    checker.addSchema({ $id: 'reference', ...document });
    this.paths = Object.entries(document.paths).sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));
  }

  /** The check of a schema that stands somewhere in the document. */
  checkAt(...parts: readonly string[]): Check {
    const place = pointer(parts);
    const check = this.known.get(place) ?? this.checker.compile({ $ref: `reference#/${place}` });
    this.known.set(place, check);
    return check;
  }

  /** Throws when an answer is none that the document tells of. What is no operation at all is not judged. */
  expect({ method, path, status, body }: AnswerOf): void {
    const template = this.find(method, path);
    if (!template) return;
    const verb = method.toLowerCase();
    const answer = this.paths.find(([known]) => known === template)?.[1][verb]?.responses[String(status)];
    if (!answer) throw new Error(`${method} ${template} answered ${status}, which the reference does not tell of`);
    const json = 'application/json';
    if (!(json in (answer.content ?? {}))) return;
    const check = this.checkAt('paths', template, verb, 'responses', String(status), 'content', json, 'schema');
    if (!check(body))
      throw new Error(`${method} ${template} ${status}: ${JSON.stringify(check.errors)} in ${JSON.stringify(body)}`);
  }

  private find(method: string, path: string): string | undefined {
    const found = this.paths.find(([template, operations]) => {
      const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`);
      return operations[method.toLowerCase()] !== undefined && pattern.test(path);
    });
    return found?.[0];
  }
}
