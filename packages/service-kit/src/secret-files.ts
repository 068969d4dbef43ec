import { readFileSync, statSync } from 'node:fs';
import { type z } from 'zod';
import { ConfigError } from './config-error';
import { describeConfig } from './describe-config';

export { isConfigError } from './config-error';

export type Environment = Readonly<Record<string, string | undefined>>;

/** No secret is longer; what is, is another file. */
const MAX_BYTES = 64 * 1024;

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/**
 * Docker and Kubernetes hand secrets over as files, so that they do not show where a container is inspected: for every secret
 * variable of a schema, `NAME_FILE` may name the file that holds it; an empty one leaves what is not required unset. Throws a
 * `ConfigError` that names every file that cannot be used, and never what stands in it.
 */
export function withSecretFiles(schema: z.ZodObject, env: Environment): Environment {
  const problems: string[] = [];
  const read = describeConfig(schema)
    .filter(({ name, secret }) => secret && isSet(env[fileOf(name)]))
    .map(({ name, required }) => {
      const { value, problem } = readSecret(name, env, required);
      if (problem !== undefined) problems.push(`${fileOf(name)}: ${problem}`);
      return [name, value] as const;
    });
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...env, ...Object.fromEntries(read) };
}

export const fileOf = (name: string): string => `${name}_FILE`;

interface ReadSecret {
  readonly value?: string;
  readonly problem?: string;
}

function readSecret(name: string, env: Environment, isRequired: boolean): ReadSecret {
  if (isSet(env[name])) return { problem: `${name} is set, too: only one of both may be` };
  const path = env[fileOf(name)]?.trim() ?? '';
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) return { problem: `${path} has ${size} bytes; at most ${MAX_BYTES} are read` };
    const value = readFileSync(path, 'utf8').trim();
    return value === '' && isRequired ? { problem: `${path} is empty` } : { value };
  } catch (error) {
    return { problem: `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` };
  }
}
