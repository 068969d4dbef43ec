import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { LIMITS, writeJson } from '../limits';
import { pushDataSchema } from '../push-fields';

const VARIABLE = /\$\{([^}]*)\}/g;
const NAMES = ['convId', 'timestamp', 'fromClientId'] as const;
const KNOWN: ReadonlySet<string> = new Set(NAMES);
const LISTED = NAMES.map((name) => `\${${name}}`).join(', ');
const MAX_BYTES = LIMITS.offlinePushBytes.value;

export type StaticVariables = Readonly<Record<(typeof NAMES)[number], string>>;

/** The texts of a value with the variables in them replaced, once: what a variable says is not read again. */
export function filled(push: JsonObject, variables: StaticVariables): JsonObject {
  const fill = (text: string): string =>
    text.replace(VARIABLE, (written, name: string) => (KNOWN.has(name) ? variables[name as 'convId'] : written));
  return mapTexts(push, fill) as JsonObject;
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => mapTexts(one, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}

interface Slip {
  readonly path: readonly string[];
  readonly message: string;
}

/** Texts that name a variable which there is not. */
function unknownVariables(value: Json, path: readonly string[]): readonly Slip[] {
  if (typeof value === 'string')
    return [...value.matchAll(VARIABLE)].flatMap(([written, name = '']) =>
      KNOWN.has(name) ? [] : [{ path, message: `${written} is not a variable; there are ${LISTED}` }],
    );
  if (typeof value === 'bigint') return [{ path, message: 'must be a number that every JSON parser can hold' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => unknownVariables(one as Json, [...path, key]));
}

/** What is pushed of an offline message that says nothing itself; its texts may hold variables. */
const described = pushDataSchema
  .superRefine((push, context) => {
    const said = push as JsonObject;
    for (const { path, message } of unknownVariables(said, []))
      context.addIssue({ code: 'custom', path: [...path], message });
    if (Buffer.byteLength(writeJson(said)) > MAX_BYTES)
      context.addIssue({ code: 'custom', message: `may have at most ${MAX_BYTES} bytes` });
    if (Object.keys(said).length === 0) context.addIssue({ code: 'custom', message: 'must say something' });
  })
  .nullable()
  .describe(
    `Content of pushes for offline messages that bring none; \`${LISTED}\` are replaced. null: those are not pushed.`,
  );

/** A document of JSON, as it was given. */
export const staticPushSchema = described as unknown as z.ZodType<JsonObject | null>;
