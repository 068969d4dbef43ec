import { InvalidInput, readJson } from '@pushfleet/domain';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { fileError, UsageError } from './errors';
import type { Io } from './io';

const objectSchema = z.record(z.string(), z.unknown());

/** A JSON object from a file, or from standard input for `-`: the roads on which secrets may come in. */
export async function readJsonObject(io: Io, path: string): Promise<Record<string, unknown>> {
  const text = await readSecretText(io, path);
  const name = path === '-' ? 'standard input' : path;
  const parsed = objectSchema.safeParse(parseJson(text, name));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${name}: must hold a JSON object`);
}

/** What a file holds, or standard input for `-`. */
export const readSecretText = (io: Io, path: string): Promise<string> => (path === '-' ? io.readIn() : readText(path));

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw fileError(path, 'read', cause);
  }
}

/** The parser's own message repeats parts of the text, which holds secrets. */
function parseJson(text: string, name: string): unknown {
  try {
    return readJson(withoutMark(text));
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(`${name}: ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${name}: is not JSON`);
  }
}

/** Some programs begin a file with a byte order mark. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
