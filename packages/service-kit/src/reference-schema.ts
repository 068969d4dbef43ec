import { escapeHtml, prose } from './html';
import type { JsonSchema } from './openapi';

type Schemas = Readonly<Record<string, JsonSchema>>;

const MAX_DEPTH = 6;

/** The fields of a schema as nested tables. */
export function describeSchema(schema: JsonSchema, schemas: Schemas, depth = 0): string {
  const target = follow(schema, schemas);
  const properties = objectOf(target['properties']);
  const required = new Set(listOf(target['required']));
  const rows = Object.entries(properties).map(([name, value]) => {
    const field = objectOf(value);
    const isRequired = required.has(name) ? ', required' : '';
    const inner = depth < MAX_DEPTH ? describeSchema(partOf(field, schemas), schemas, depth + 1) : '';
    const about = prose(String(field['description'] ?? follow(field, schemas)['description'] ?? ''));
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(typeOf(field, schemas))}${isRequired}</td><td>${about}${inner}</td></tr>`;
  });
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
}

const REFERENCE = '#/components/schemas/';

function follow(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref: reference } = schema;
  return typeof reference === 'string' ? (schemas[reference.slice(REFERENCE.length)] ?? {}) : schema;
}

/** Of a list its items, of alternatives the one with fields. */
function partOf(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const target = follow(schema, schemas);
  const parts = [...alternativesOf(target), objectOf(target['items']), objectOf(target['additionalProperties'])];
  if ('properties' in target) return target;
  return parts.find((part) => 'properties' in part || '$ref' in part) ?? {};
}

function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const { type, const: constant, enum: values } = follow(schema, schemas);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `list of ${typeOf(objectOf(follow(schema, schemas)['items']), schemas)}`;
  if (typeof type === 'string') return type;
  const alternatives = Array.isArray(type)
    ? type.map(String)
    : alternativesOf(schema).map((one) => typeOf(one, schemas));
  return alternatives.length === 0 ? 'any' : [...new Set(alternatives)].join(' | ');
}

const alternativesOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] =>
  [...listOf(anyOf), ...listOf(oneOf)].map(objectOf);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const objectOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
