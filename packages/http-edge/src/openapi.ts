import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface OpenApiContent {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface OpenApiBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly headers?: JsonSchema;
  readonly content?: Readonly<Record<string, OpenApiContent>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: OpenApiBody;
  readonly responses: Readonly<Record<string, OpenApiBody>>;
}

/** As much of OpenAPI 3.1 as the services of the fleet say about themselves. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license?: typeof OPENAPI_LICENSE;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: JsonSchema;
    readonly schemas?: Readonly<Record<string, JsonSchema>>;
  };
}

/** Of the service; clients that are made from a document are their makers' own. */
export const OPENAPI_LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' } as const;

/** What a schema accepts, as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  });
  return rest;
}
