import { isJsonObject, readJson, readNumber, writeJson, type Json } from '@pushfleet/domain';
import { EJSON } from 'bson';

/** Spellings of MongoDB's tools and storage that are not those of the 1.1 API. */
const FOREIGN = /"(?:\$\w+|_id|_created_at|_updated_at)"\s*:/;

/** The text of a row with every value as the 1.1 API spells it; throws a `SyntaxError` if it is not JSON. */
export function plainText(text: string): string {
  const value = readJson(text);
  return FOREIGN.test(text) ? writeJson(plainRow(decoded(value))) : text;
}

/** Extended JSON as values of MongoDB. Its library knows no integer beyond 64 bits, and few beyond 2^53: those stay as they are. */
function decoded(value: Json): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (!isJsonObject(value)) return value;
  const { $numberLong: digits } = value;
  if (typeof digits === 'string' && /^-?\d+$/.test(digits)) return readNumber(digits);
  if (Object.keys(value).some((key) => key.startsWith('$')) && !holdsLarge(value))
    return EJSON.deserialize(value, { relaxed: true, useBigInt64: true });
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decoded(inner)]));
}

function holdsLarge(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(holdsLarge);
}

/** A document of a database as a row of the 1.1 API. */
export function plainRow(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  const { _id, _created_at, _updated_at, ...fields } = plainJson(document) as Record<string, unknown>;
  return { objectId: _id, createdAt: _created_at, updatedAt: _updated_at, ...fields };
}

function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return readNumber(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  if (value instanceof Date) return { __type: 'Date', iso: Number.isNaN(value.getTime()) ? '' : value.toISOString() };
  const type = '_bsontype' in value ? String(value._bsontype) : undefined;
  if (type !== undefined) return (PLAIN[type] ?? (() => EJSON.serialize(value, { relaxed: true })))(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainJson(inner)]));
}

/** By the type's name in the BSON library. */
const PLAIN: Readonly<Record<string, (value: object) => unknown>> = {
  ObjectId: String,
  Long: (value) => readNumber(String(value)),
  Int32: Number,
  Double: Number,
  Decimal128: (value) => Number(String(value)),
  Binary: (value) => ({
    __type: 'Bytes',
    base64: Buffer.from((value as { buffer: Uint8Array }).buffer).toString('base64'),
  }),
  DBRef: (value) => {
    const { collection, oid } = value as { collection: string; oid: unknown };
    return { __type: 'Pointer', className: collection, objectId: String(oid) };
  },
};
