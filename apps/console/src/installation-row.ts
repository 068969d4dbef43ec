import {
  applySave,
  checkInstallation,
  InvalidInput,
  isJsonObject,
  type JsonObject,
  LIMITS,
  writeJson,
} from '@pushfleet/domain';
import { isObjectId, type ImportedInstallation } from '@pushfleet/store';
import { z } from 'zod';

export type ReadRow = { readonly row: ImportedInstallation } | { readonly error: string };

/** A date alone, or as an object of the 1.1 API. */
const dateSchema = z
  .union([z.string(), z.object({ __type: z.literal('Date'), iso: z.string() }).transform(({ iso }) => iso)])
  .pipe(z.iso.datetime({ offset: true, local: true }))
  .transform((text) => new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`).toISOString());

/** Objects of other classes name none of these. */
const NAMES = ['installationId', 'deviceToken', 'deviceType'] as const;

/** A row of an export; what is wrong with it is for its owner to read. */
export function readInstallationRow(input: unknown): ReadRow {
  if (!isJsonObject(input)) return { error: 'is not a JSON object' };
  const { objectId } = input;
  if (typeof objectId !== 'string' || !isObjectId(objectId))
    return { error: 'objectId: is required, at most 64 letters, digits, - and _' };
  try {
    const doc: JsonObject = { ...applySave({}, withoutInternals(input)), ...datesOf(input) };
    if (NAMES.every((name) => doc[name] === undefined))
      return { error: `is no installation: it has none of ${NAMES.join(', ')}` };
    if (Buffer.byteLength(writeJson(doc)) > LIMITS.installationBytes.value)
      return { error: `is larger than ${LIMITS.installationBytes.value} bytes` };
    checkInstallation(doc);
    return { row: { objectId, doc } };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { error: error.message };
  }
}

/** What the hosted service's database kept beside the fields of an app. */
const withoutInternals = (input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([key]) => !key.startsWith('_')));

function datesOf(input: JsonObject): JsonObject {
  const dates: Record<string, string> = {};
  for (const field of ['createdAt', 'updatedAt'] as const) {
    const value = input[field] ?? undefined;
    if (value === undefined) continue;
    const parsed = dateSchema.safeParse(value);
    if (!parsed.success) throw new InvalidInput('wrong-type', `${field}: is not an ISO 8601 date`);
    dates[field] = parsed.data;
  }
  return dates;
}
