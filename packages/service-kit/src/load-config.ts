import { type z } from 'zod';
import { ConfigError } from './config-error';
import { misspelledSettings } from './misspelled-settings';
import { withSecretFiles, type Environment } from './secret-files';

/** A variable that is set to nothing is treated as not set: compose files and shells write it that way. */
const present = (env: Environment): Record<string, string> => {
  const entries = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '');
  return Object.fromEntries(entries) as Record<string, string>;
};

const describeIssue = ({ path, message }: z.core.$ZodIssue): string => {
  const [name = 'configuration', entry] = path;
  return entry === undefined ? `${String(name)}: ${message}` : `${String(name)}: entry ${Number(entry) + 1} ${message}`;
};

const MISSING = 'is required';

/** Whether a line of a `ConfigError` says that a setting is not there. */
export const isMissing = (line: string): boolean => line.endsWith(`: ${MISSING}`);

/** Where the schema has no words of its own. */
function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return MISSING;
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.map(String).join(', ')}` : undefined;
}

/** Parses the environment with a schema whose keys are variable names; one error tells everything that is wrong. */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: Environment): z.output<Schema> {
  const parsed = schema.safeParse(present(withSecretFiles(schema, env)), { error: ruleOf });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(describeIssue);
  throw new ConfigError([...lines, ...namesThatNearlyAre(lines, { schema, env })]);
}

/** What is missing may be there under another name. */
function namesThatNearlyAre(
  lines: readonly string[],
  { schema, env }: { readonly schema: z.ZodObject; readonly env: Environment },
): readonly string[] {
  const missing = new Set(lines.filter(isMissing).map((line) => line.slice(0, line.indexOf(':'))));
  return misspelledSettings(schema, env)
    .filter(({ setting }) => missing.has(setting.replace(/_FILE$/, '')))
    .map(({ variable, setting }) => `${variable}: no setting has this name; is ${setting} meant?`);
}

/** The `loadConfig` of a service of which the schema tells everything. */
export const configLoader =
  <Schema extends z.ZodObject>(schema: Schema, usual: Environment) =>
  (env: Environment = usual): z.output<Schema> =>
    loadConfig(schema, env);
