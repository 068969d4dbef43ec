import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isConfigError } from './config-error';
import { secretConfig } from './config-parts';
import { loadConfig } from './load-config';

const KEY = Buffer.alloc(32, 7).toString('base64');
const schema = z.object({ ...secretConfig, PLAIN: z.string().default('-') });

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pushfleet-secrets-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

function linesOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (isConfigError(error)) return error.lines;
    throw error;
  }
  return [];
}

it('takes a secret from the file that is named, without the line break at its end', () => {
  const config = loadConfig(schema, { SECRET_KEY_FILE: file('key', `${KEY}\n`), SECRET_KEY_PREVIOUS_FILE: ' ' });
  expect(config).toEqual({ SECRET_KEY: KEY, PLAIN: '-' });
});

it('leaves a secret that is not required unset where its file is empty', () => {
  const config = loadConfig(schema, { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS_FILE: file('none', '\n') });
  expect(config.SECRET_KEY_PREVIOUS).toBeUndefined();
});

it('leaves what is no secret to its variable', () => {
  expect(loadConfig(schema, { SECRET_KEY: KEY, PLAIN_FILE: file('plain', 'x') }).PLAIN).toBe('-');
});

it('names every file that it cannot use', () => {
  const missing = join(dir, 'missing');
  expect(linesOf({ SECRET_KEY_FILE: file('empty', '\n'), SECRET_KEY_PREVIOUS_FILE: missing })).toEqual([
    `SECRET_KEY_FILE: ${join(dir, 'empty')} is empty`,
    `SECRET_KEY_PREVIOUS_FILE: ${missing} cannot be read (ENOENT)`,
  ]);
  const large = file('large', 'x'.repeat(65_537));
  expect(linesOf({ SECRET_KEY_FILE: large })).toEqual([
    `SECRET_KEY_FILE: ${large} has 65537 bytes; at most 65536 are read`,
  ]);
  expect(linesOf({ SECRET_KEY_FILE: dir })).toEqual([`SECRET_KEY_FILE: ${dir} cannot be read (EISDIR)`]);
});

it('takes no secret from two places, and never tells what stands in a file', () => {
  const path = file('other', 'tell-nobody');
  expect(linesOf({ SECRET_KEY: KEY, SECRET_KEY_FILE: path })).toEqual([
    'SECRET_KEY_FILE: SECRET_KEY is set, too: only one of both may be',
  ]);
  expect(linesOf({ SECRET_KEY_FILE: path })).toEqual(['SECRET_KEY: must be 32 bytes in base64']);
});
