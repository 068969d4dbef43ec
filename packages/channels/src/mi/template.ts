import { isJsonObject, type Json, jsonIn, writeJson } from '@pushfleet/domain';

/** Xiaomi push, pId=2314 (2026-06-02): the variables of an approved template. */
const MAX_VARIABLES = 9;
const MAX_VALUE_POINTS = 128;
/** Pictures, the letters of flags, and the frame of keys. */
const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;

/** The vendor wants the variables as JSON text; senders give an object too, with numbers in it. Names what is wrong. */
export function templateParamOf(value: Json): { readonly text: string } | { readonly problem: string } {
  const variables = typeof value === 'string' ? jsonIn(value) : value;
  if (!isJsonObject(variables)) return { problem: 'must be a JSON object, or its text' };
  const entries = Object.entries(variables).map(([name, item]) => [name, textOf(item)] as const);
  if (entries.length > MAX_VARIABLES) return { problem: `must have at most ${MAX_VARIABLES} variables` };
  for (const [name, text] of entries) {
    const problem = problemOf(text);
    if (problem !== undefined) return { problem: `${name} ${problem}` };
  }
  return { text: writeJson(Object.fromEntries(entries)) };
}

const textOf = (item: Json): string | undefined =>
  typeof item === 'string' ? item : ['number', 'bigint'].includes(typeof item) ? String(item) : undefined;

function problemOf(text: string | undefined): string | undefined {
  if (text === undefined) return 'must be text or a number';
  if (text.trim() === '') return 'must not be blank';
  if (Array.from(text).length > MAX_VALUE_POINTS) return `must have at most ${MAX_VALUE_POINTS} characters`;
  return EMOJI.test(text) ? 'must not hold emoji' : undefined;
}
